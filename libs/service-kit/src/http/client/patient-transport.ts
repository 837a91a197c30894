import type { ServiceName } from '@fundrail/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceTransport, TransportAnswer, TransportRequest } from './service-transport.ts';

/** Wall milliseconds before each further try: 1.6 s in all, in which another replica is found or a short restart is over. */
const PAUSES_MS = [10, 40, 150, 400, 1_000];

/** No connection came about, so the request has reached nobody. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The connection broke: a peer that closes a kept connection just as it is used, or dies. The request may have had its effect. */
const CUT_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const SERVICE_UNAVAILABLE = 503;

/**
 * Sees calls through the restart of a neighbour. What was never sent is sent again; what was cut off, or refused with 503 by
 * a neighbour that starts or stops, only where doing it twice is doing it once. Silence is no sign of a restart: a
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
