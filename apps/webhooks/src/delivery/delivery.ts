import { ApiError, istTimestamp, type WebhookDeliveryDto } from '@fundrail/contracts';
import type { EventRow } from '../event/event.table.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import type { AttemptRow } from './attempt.table.ts';
import type { DeliveryRow } from './delivery.table.ts';
import { pauseAfter } from './retry-table.ts';

/** The result of one attempt. `status` is null when there was no response; then `error` has the reason. */
export interface AttemptAnswer {
  /** The signed timestamp, in seconds; null when nothing was sent. */
  readonly webhook_timestamp: number | null;
  readonly status: number | null;
  readonly duration_ms: number;
  readonly error: string | null;
  readonly response_body: string | null;
  readonly retry_after_ms: number | null;
}

const NO_LEASE = { lease_token: null, leased_until: null };

export function newDelivery(event: EventRow, webhook: string, id: string, now: Date): DeliveryRow {
  const { tenant, type, object_id, subject, sequence } = event;
  const first = { status: 'pending', in_order: true, tries: 0, due_at: now, followers: 0 } as const;
  const later = { failure_code: null, planned_at: null, replay: null, retried_of: null, ...NO_LEASE };
  const about = { id, tenant, webhook, event: event.id, type, object_id, subject, sequence };
  return { ...about, ...first, ...later, created_at: now };
}

export function isSuccess(answer: AttemptAnswer): boolean {
  return answer.status !== null && answer.status >= 200 && answer.status < 300;
}

const GONE = 410;

/** The next attempt of a failed delivery: the row of the retry table, and the times. */
export type NextAttempt = Pick<DeliveryRow, 'tries' | 'planned_at'> & { readonly due_at: Date };

/**
 * The next attempt after a failed one; null when it was the last. An attempt before its planned time does not count in the table.
 * Otherwise an event that is refused while others are accepted would use up all ten attempts in seconds.
 */
export function nextAttempt(
  { tries, planned_at }: Pick<DeliveryRow, 'tries' | 'planned_at'>,
  { answer, random, now }: { readonly answer: AttemptAnswer; readonly random: number; readonly now: Date },
): NextAttempt | null {
  if (answer.status === GONE) return null;
  if (planned_at !== null && now < planned_at)
    return { tries, planned_at, due_at: laterOf(planned_at, answer.retry_after_ms, now) ?? planned_at };
  const pause = pauseAfter(tries + 1, answer.retry_after_ms, random);
  if (pause === null) return null;
  return { tries: tries + 1, planned_at: null, due_at: new Date(now.getTime() + pause) };
}

/**
 * The delivery after an attempt. A success always counts, even if the row has changed meanwhile. A failure counts only while we hold the
 * lease (`leaseToken`): otherwise the endpoint was disabled, a retry was requested, or another process repeated the attempt. A failure of
 * the endpoint's previous URL (`isOfOldUrl`) does not count against the new URL, which is tried immediately.
 */
export function afterAttempt(
  row: DeliveryRow,
  attempt: {
    readonly answer: AttemptAnswer;
    readonly leaseToken: string;
    readonly random: number;
    readonly now: Date;
    readonly isOfOldUrl: boolean;
  },
): DeliveryRow {
  if (isSuccess(attempt.answer))
    return { ...row, ...NO_LEASE, status: 'delivered', failure_code: null, due_at: null };
  if (row.status !== 'pending' || row.lease_token !== attempt.leaseToken) return row;
  if (attempt.isOfOldUrl) return { ...row, ...NO_LEASE, due_at: attempt.now };
  const next = nextAttempt(row, attempt);
  if (next !== null) return { ...row, ...NO_LEASE, ...next };
  const failure_code = attempt.answer.status === GONE ? 'endpoint_gone' : 'attempts_exhausted';
  return { ...row, ...NO_LEASE, tries: row.tries + 1, status: 'failed', failure_code, due_at: null };
}

/** Whether the change of a delivery releases the next held event of its object. */
export function letsNextGo(before: DeliveryRow, after: DeliveryRow): boolean {
  const wasFirst = before.status === 'pending' && before.in_order && before.due_at !== null;
  return wasFirst && before.followers > 0 && (after.status !== 'pending' || !after.in_order);
}

// HOOK-20: 5 days since the first failure with no success in between.
export const LONGEST_FAILURE_MS = 5 * 24 * 60 * 60_000;

/** The health of an endpoint after an attempt. `disable` is the reason shown to the client. */
interface EndpointHealth {
  readonly failing_since: Date | null;
  /** The end of the pause that the endpoint requested (`Retry-After`). */
  readonly paused_until: Date | null;
  readonly disable: string | null;
}

export function healthAfter(
  endpoint: Pick<NotificationWebhookRow, 'failing_since' | 'paused_until'>,
  answer: AttemptAnswer,
  now: Date,
): EndpointHealth {
  const { paused_until } = endpoint;
  if (isSuccess(answer)) return { failing_since: null, paused_until, disable: null };
  const failing_since = endpoint.failing_since ?? now;
  if (answer.status === GONE)
    return { failing_since, paused_until, disable: 'the endpoint answered 410 Gone' };
  const tooLong = now.getTime() - failing_since.getTime() >= LONGEST_FAILURE_MS;
  return {
    failing_since,
    paused_until: laterOf(paused_until, answer.retry_after_ms, now),
    disable: tooLong ? 'the endpoint failed for 5 days' : null,
  };
}

function laterOf(pausedUntil: Date | null, retryAfterMs: number | null, now: Date): Date | null {
  const asked = retryAfterMs === null ? null : new Date(now.getTime() + retryAfterMs);
  return asked !== null && (pausedUntil === null || asked > pausedUntil) ? asked : pausedUntil;
}

/**
 * The delivery due now, from the start of the retry table, and outside the order of its object's events (HOOK-25, HOOK-27). It does not
 * wait behind new events, so it leaves its replay's queue, but the replay still counts it. A running attempt keeps its lease, so that the
 * delivery is not sent twice at the same time.
 */
export function retriedDelivery(row: DeliveryRow, now: Date): DeliveryRow {
  return {
    ...row,
    status: 'pending',
    failure_code: null,
    in_order: false,
    tries: 0,
    due_at: now,
    planned_at: null,
    replay: null,
    retried_of: row.replay ?? row.retried_of,
  };
}

/** Throws `ApiError` ILLEGAL_TRANSITION when the endpoint is disabled: it gets no deliveries (HOOK-25). */
export function assertEnabled(webhook: Pick<NotificationWebhookRow, 'status'>): void {
  if (webhook.status === 'enabled') return;
  throw new ApiError('ILLEGAL_TRANSITION', 'The endpoint is disabled. Enable it to send deliveries.');
}

export function toWebhookDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]): WebhookDeliveryDto {
  return {
    object: 'webhook_delivery',
    id: row.id,
    webhook: row.webhook,
    event: row.event,
    type: row.type,
    status: row.status,
    failure_code: row.failure_code,
    attempts: attempts.map(({ at, url, webhook_timestamp, status, duration_ms, error, response_body }) => ({
      at: istTimestamp(at),
      url,
      webhook_timestamp,
      status,
      duration_ms,
      error,
      response_body,
    })),
    next_attempt_at: row.due_at && istTimestamp(row.due_at),
    created_at: istTimestamp(row.created_at),
  };
}
