import { AsyncLocalStorage } from 'node:async_hooks';

/** What the log lines and the neighbours' calls of a request carry. */
export interface RequestContext {
  readonly request_id: string;
  tenant?: string;
}

/** The request that the running code serves; undefined in due work and in consumers. */
export const requestContext = new AsyncLocalStorage<RequestContext>();

/** Runs what a request has only woken: it belongs to no request and to no trace. */
export const outsideRequests = AsyncLocalStorage.snapshot();
