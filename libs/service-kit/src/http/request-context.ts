import { AsyncLocalStorage } from 'node:async_hooks';

/** The facts about a request in its log lines and its calls to other services. */
interface RequestContext {
  readonly request_id: string;
  tenant?: string;
}

/** The request that the running code serves; undefined in due work and in consumers. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Runs work that a request has only woken, so that it belongs to no request and to no trace. */
export const outsideRequests = AsyncLocalStorage.snapshot();
