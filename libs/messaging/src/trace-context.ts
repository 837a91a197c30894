import { randomUUID } from 'node:crypto';
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * W3C Trace Context, level 1: one id follows a request through HTTP, outbox, bus, consumers and webhooks. Where spans are
 * recorded (`Tracing`), each becomes the parent of the next; where none are, a received `traceparent` is passed on unchanged.
 */
const traces = new AsyncLocalStorage<string>();

// version "-" trace id "-" parent id "-" flags. A later version may append fields, so its first four are read and passed on as version 00.
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

/** A received `traceparent` as version 00, or null when it is invalid: then a new trace starts. */
export function readTraceparent(header: unknown): string | null {
  const [, version, traceId, parentId, flags, rest] = TRACEPARENT.exec(String(header)) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (traceId === NO_TRACE || parentId === NO_PARENT) return null;
  return `00-${traceId}-${parentId}-${flags}`;
}

/** Starts a trace that is not sampled: nothing of it is recorded. */
export function newTraceparent(): string {
  // UUIDs come from a pool of random bytes, so they are cheaper than generating bytes each time.
  const traceId = randomUUID().replaceAll('-', '');
  const parentId = randomUUID().replaceAll('-', '').slice(NO_PARENT.length);
  return `00-${traceId}-${parentId}-00`;
}
