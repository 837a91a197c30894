import {
  ApiError,
  istTimestamp,
  patternsFor,
  PUBLIC_EVENT_TYPES,
  ValidationFailed,
  type CreateWebhookReplayDto,
  type WebhookReplayDto,
} from '@fundrail/contracts';
import { endOf, startOf } from '../event/moment.ts';
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.table.ts';
import type { WebhookReplayRow } from './webhook-replay.table.ts';

/** The maximum number of created but unattempted deliveries of a replay. The other events have no deliveries yet. */
const REPLAY_WINDOW = 100;
/**
 * The maximum number of pending deliveries, including failed ones, which are retried for 76 hours. So a refused event does not stop the
 * others, and an endpoint that refuses everything does not accumulate a month of deliveries.
 */
const MOST_PENDING = 1_000;

/** The number of pending deliveries of a replay, and how many of them were never attempted. */
export interface ReplayPending {
  readonly pending: number;
  readonly untried: number;
}

/** Above these numbers, a replay creates no deliveries. */
export const ROOM_BELOW: ReplayPending = {
  pending: MOST_PENDING - REPLAY_WINDOW,
  untried: REPLAY_WINDOW / 2,
};

/** The results of its ended deliveries. */
export interface ReplayProgress {
  readonly delivered: number;
  readonly failed: number;
}

/** Throws `ValidationFailed` when `to` is before `from`. */
export function newReplay(
  webhook: Pick<NotificationWebhookRow, 'id' | 'tenant' | 'events'>,
  input: CreateWebhookReplayDto,
  given: { readonly id: string; readonly now: Date; readonly wallNow: Date },
): Omit<WebhookReplayRow, 'matched'> {
  const [from_at, to_at] = [startOf(input.from), endOf(input.to)];
  if (to_at < from_at) throw new ValidationFailed([{ field: 'to', message: 'must not be before from' }]);
  return {
    id: given.id,
    tenant: webhook.tenant,
    webhook: webhook.id,
    status: 'running',
    from_at,
    to_at,
    events: input.events ?? webhook.events,
    types: typesOf(webhook.events, input.events ?? webhook.events),
    last_event: '',
    all_made: false,
    stored_before: given.wallNow,
    created_at: given.now,
    completed_at: null,
  };
}

// A test event is only for the endpoint that it was sent to.
const NEVER_REPLAYED = 'notification_webhook.test';

/** The requested public types to which the endpoint subscribes. */
function typesOf(listens: readonly string[], asked: readonly string[]): string[] {
  return PUBLIC_EVENT_TYPES.filter((type) => {
    const patterns = patternsFor(type);
    return (
      [listens, asked].every((list) => list.some((one) => patterns.includes(one))) && type !== NEVER_REPLAYED
    );
  });
}

/** How many deliveries may be created now: one window, when half of it is free. */
export function roomFor(row: WebhookReplayRow, { pending, untried }: ReplayPending): number {
  const isFull = pending > ROOM_BELOW.pending || untried > ROOM_BELOW.untried;
  return row.all_made || isFull ? 0 : REPLAY_WINDOW - untried;
}

/** The replay after `made` of the `asked` deliveries were created, the last for `last_event`. */
export function afterMaking(
  row: WebhookReplayRow,
  batch: { readonly asked: number; readonly made: number; readonly last_event: string | null },
): WebhookReplayRow {
  return { ...row, last_event: batch.last_event ?? row.last_event, all_made: batch.made < batch.asked };
}

/** Completes the replay when no delivery is left to create or send. */
export function settledReplay(row: WebhookReplayRow, pending: number, now: Date): WebhookReplayRow {
  if (row.status !== 'running' || !row.all_made || pending > 0) return row;
  return { ...row, status: 'completed', completed_at: now };
}

/** The replay, cancelled by its client. Throws `ApiError` ILLEGAL_TRANSITION when it has ended. */
export function cancelledReplay(row: WebhookReplayRow, now: Date): WebhookReplayRow {
  if (row.status !== 'running')
    throw new ApiError(
      'ILLEGAL_TRANSITION',
      `The replay is ${row.status}. Only a running replay can be cancelled.`,
    );
  return { ...row, status: 'cancelled', completed_at: now };
}

export function toWebhookReplay(row: WebhookReplayRow, progress: ReplayProgress): WebhookReplayDto {
  return {
    object: 'webhook_replay',
    id: row.id,
    webhook: row.webhook,
    status: row.status,
    from: istTimestamp(row.from_at),
    to: istTimestamp(row.to_at),
    events: row.events,
    matched: row.matched,
    sent: progress.delivered,
    failed: progress.failed,
    created_at: istTimestamp(row.created_at),
    completed_at: row.completed_at && istTimestamp(row.completed_at),
  };
}
