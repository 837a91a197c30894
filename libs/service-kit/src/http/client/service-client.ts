import {
  ApiError,
  ERRORS,
  errorBody,
  parseDroppingNewFields,
  parseJson,
  stringifyJson,
  TOPOLOGY,
  type ErrorCode,
  type ServiceName,
} from '@fundrail/contracts';
import { currentTraceparent, NO_TRACING, type SpanFacts, type Tracing } from '@fundrail/messaging';
import type { z } from 'zod';
import { inTransaction } from '../../db/open-transaction.ts';
import type { ServiceTokens } from '../auth/service-tokens.ts';
import { unavailable } from '../errors/error-answer.ts';
import { requestContext } from '../request-context.ts';
import type { ServiceTransport, TransportAnswer } from './service-transport.ts';

const TIMEOUT_MS = 2_000;

/**
 * A call of an internal route. `answer` is the schema of its answer; unknown fields of a newer service are dropped. An answer that
 * does not match counts as no answer.
 */
interface ServiceCall<S extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  /** Besides those of every call. A service of an older release does not read them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer: S;
  /** Wall milliseconds of one attempt; 2000 when left out. */
  readonly timeoutMs?: number;
  /**
   * The call is idempotent, so it is repeated when there was no answer, and during a restart of the service. A GET always is; a POST
   * only with this flag.
   */
  readonly retry?: boolean;
}

/** Calls the internal routes of other services, with a service token, the request's id and its trace. */
export class ServiceClient {
  constructor(
    private readonly transport: ServiceTransport,
    private readonly tokens: ServiceTokens,
    private readonly tracing: Tracing = NO_TRACING,
  ) {}

  /**
   * No answer, a 5xx or a body that is not the `answer` → `ApiError` SERVICE_UNAVAILABLE (503, Retry-After 1); a 4xx →
   * `ApiError` with the code, message and fields of the answer. Throws inside an open transaction (CALL-2), and for a service that
   * TOPOLOGY does not let this one call: in one process and in tests too, where no network policy would refuse it.
   */
  async call<S extends z.ZodType>(service: ServiceName, call: ServiceCall<S>): Promise<z.output<S>> {
    if (inTransaction())
      throw new Error(`${call.method} ${service} ${call.path}: no remote call inside a transaction`);
    const own = this.tokens.service;
    if (service !== own && TOPOLOGY[own].calls[service] === undefined)
      throw new Error(`${own} may not call ${service}: TOPOLOGY has no such call`);
    const tries = isRepeatable(call) ? 2 : 1;
    for (let left = tries; ; left -= 1) {
      try {
        return await this.once(service, call);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        if (left > 1) continue;
        throw Object.assign(unavailable(`${service} does not answer.`), { cause: error });
      }
    }
  }

  /** The answer of a GET route, or null when the object does not exist; otherwise as `call`. */
  async find<S extends z.ZodType>(
    service: ServiceName,
    path: string,
    answer: S,
  ): Promise<z.output<S> | null> {
    try {
      return await this.call(service, { method: 'GET', path, answer });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'NOT_FOUND') return null;
      throw error;
    }
  }

  private async once<S extends z.ZodType>(service: ServiceName, call: ServiceCall<S>): Promise<z.output<S>> {
    const parent = currentTraceparent();
    const span = this.tracing.begin(parent, () => callFacts(service, call.method));
    try {
      const answer = await this.exchange(service, call, span?.traceparent ?? parent);
      span?.set({ 'http.response.status_code': answer.status });
      const result = this.read(service, call, answer);
      span?.end();
      return result;
    } catch (error) {
      span?.end(error instanceof ApiError ? error.code : 'no_answer');
      throw error;
    }
  }

  private async exchange<S extends z.ZodType>(
    service: ServiceName,
    call: ServiceCall<S>,
    traceparent: string | null,
  ): Promise<TransportAnswer> {
    const { method, path, body, headers, timeoutMs = TIMEOUT_MS } = call;
    return this.transport.request(service, {
      method,
      path,
      headers: { ...headers, ...(await this.headers(body !== undefined, traceparent)) },
      timeoutMs,
      isRepeatable: isRepeatable(call),
      ...(body === undefined ? {} : { body: stringifyJson(body) }),
    });
  }

  private read<S extends z.ZodType>(
    service: ServiceName,
    call: ServiceCall<S>,
    answer: TransportAnswer,
  ): z.output<S> {
    if (answer.status >= 400 && answer.status < 500) throw refusalIn(answer);
    if (answer.status >= 300) throw new Error(`${service} answered ${answer.status}`);
    return parseDroppingNewFields(call.answer, parseJson(answer.body));
  }

  private async headers(hasBody: boolean, traceparent: string | null): Promise<Record<string, string>> {
    const headers: Record<string, string> = { authorization: await this.tokens.header() };
    if (hasBody) headers['content-type'] = 'application/json';
    const requestId = requestContext.getStore()?.request_id;
    if (requestId !== undefined) headers['x-request-id'] = requestId;
    if (traceparent !== null) headers['traceparent'] = traceparent;
    return headers;
  }
}

/** Without the path, which contains ids; the other service's span has the route. */
function callFacts(service: ServiceName, method: string): SpanFacts {
  const attributes = { 'http.request.method': method, 'peer.service': service };
  return { name: `${method} ${service}`, kind: 'client', attributes };
}

function isRepeatable({ method, retry = false }: Pick<ServiceCall<z.ZodType>, 'method' | 'retry'>): boolean {
  return retry || method === 'GET';
}

/** The other service's refusal as ours. A 401 or 403 is about our own token, so it is our defect, not the client's. */
function refusalIn(answer: TransportAnswer): Error {
  const body = errorIn(answer.body);
  if (!body) return new Error(`answer ${answer.status} without an error body`);
  const { code, message, errors, policy } = body.error;
  if (!isErrorCode(code) || answer.status === 401 || answer.status === 403) {
    return new Error(`refused with ${answer.status} ${code}`);
  }
  return new ApiError(code, message, errors, undefined, policy);
}

function errorIn(text: string): z.output<typeof errorBody> | null {
  try {
    return parseDroppingNewFields(errorBody, JSON.parse(text));
  } catch {
    return null;
  }
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
