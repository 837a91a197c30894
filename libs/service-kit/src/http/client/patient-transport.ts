import type { ServiceName } from '@fundrail/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceTransport, TransportAnswer, TransportRequest } from './service-transport.ts';

/** Wall milliseconds before each further attempt: 1.6 s in all, enough to find another replica or to wait for a short restart. */
const PAUSES_MS = [10, 40, 150, 400, 1_000];

/** No connection was established, so the request was not received. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke: the peer closed a kept connection while it was used, or died. The request may have had its effect. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const SERVICE_UNAVAILABLE = 503;

/**
 * Repeats calls during the restart of another service. A request that was never sent is repeated; one that was cut off, or refused
 * with 503 by a service that starts or stops, is repeated only when it is idempotent. A timeout is not a sign of a restart, so a
 * request that timed out is not repeated here.
 */
export class PatientTransport implements ServiceTransport {
  constructor(
    private readonly inner: ServiceTransport,
    private readonly pausesMs: readonly number[] = PAUSES_MS,
  ) {}

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    for (const pauseMs of this.pausesMs) {
      const end = await this.attempt(service, request);
      if (!mayRepeat(end, request.isRepeatable)) return outcomeOf(end);
      await pause(pauseMs);
    }
    return this.inner.request(service, request);
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  private attempt(service: ServiceName, request: TransportRequest): Promise<Attempt> {
    return this.inner.request(service, request).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
  }
}

type Attempt = { readonly answer: TransportAnswer } | { readonly error: unknown };

function outcomeOf(end: Attempt): TransportAnswer {
  if ('error' in end) throw end.error;
  return end.answer;
}

function mayRepeat(end: Attempt, isRepeatable: boolean): boolean {
  if ('answer' in end) return isRepeatable && end.answer.status === SERVICE_UNAVAILABLE;
  const { code } = Object(end.error) as { readonly code?: unknown };
  if (typeof code !== 'string') return false;
  return NEVER_SENT.has(code) || (isRepeatable && CUT_OFF.has(code));
}
