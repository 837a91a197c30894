import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * W3C Trace Context, level 1: one id follows a request through HTTP, outbox, bus, consumers and webhooks. Where spans are
 * recorded (`Tracing`), each takes the place of its parent; where none are, a `traceparent` that came in is passed on as it is.
 */
const traces = new AsyncLocalStorage<string>();

// version "-" trace id "-" parent id "-" flags. A later version may append fields, so its first four are read and told as 00.
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_PARENT = '0'.repeat(16);
const TRACE_ID_AT = 3;

/** The `traceparent` of the running work; null outside any. */
export function currentTraceparent(): string | null {
  return traces.getStore() ?? null;
}

/** The trace id of the running work, for log lines; undefined outside any. */
export function currentTraceId(): string | undefined {
  return traces.getStore()?.slice(TRACE_ID_AT, TRACE_ID_AT + NO_TRACE.length);
}

/** Runs the work, and all that it starts, within a trace. */
export function runInTrace<T>(traceparent: string, work: () => T): T {
  return traces.run(traceparent, work);
}

/** A `traceparent` that came in, in our version, or null when it is none: then a new trace begins. */
export function readTraceparent(header: unknown): string | null {
  const [, version, traceId, parentId, flags, rest] = TRACEPARENT.exec(String(header)) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (traceId === NO_TRACE || parentId === NO_PARENT) return null;
  return `00-${traceId}-${parentId}-${flags}`;
}

/** Begins a trace. Not sampled: nothing of it is recorded. */
export function newTraceparent(): string {
  // UUIDs come out of a pool of random bytes, so they are cheaper than asking for bytes each time.
  const traceId = randomUUID().replaceAll('-', '');
  const parentId = randomUUID().replaceAll('-', '').slice(NO_PARENT.length);
  return `00-${traceId}-${parentId}-00`;
}
