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
import type { NotificationWebhookRow } from '../notification-webhook/notification-webhook.entity.ts';
import type { WebhookReplayRow } from './webhook-replay.entity.ts';

/** Deliveries of a replay that were made and not attempted yet: the rest of its events wait as events. */
export const REPLAY_WINDOW = 100;
/**
 * The same and those that failed and are attempted again, for 76 hours: an event that is refused holds up no other, and an endpoint
 * that refuses all is not filled with a month of them.
 */
const MOST_PENDING = 1_000;

/** Deliveries of a replay that have not ended, and those of them that were never attempted. */
export interface ReplayPending {
  readonly pending: number;
  readonly untried: number;
}

/** With more than these, a replay makes none. */
export const ROOM_BELOW: ReplayPending = {
  pending: MOST_PENDING - REPLAY_WINDOW,
  untried: REPLAY_WINDOW / 2,
};

/** How those of its deliveries that are through have ended. */
export interface ReplayProgress {
  readonly delivered: number;
  readonly failed: number;
}

/** Throws `ValidationFailed` when the time ends before it begins. */
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

// A test is for the one endpoint that it was asked for.
const NEVER_AGAIN = 'notification_webhook.test';

/** The public types that an endpoint listens to and that are asked for. */
function typesOf(listens: readonly string[], asked: readonly string[]): string[] {
  return PUBLIC_EVENT_TYPES.filter((type) => {
    const patterns = patternsFor(type);
    return (
      [listens, asked].every((list) => list.some((one) => patterns.includes(one))) && type !== NEVER_AGAIN
    );
  });
}

/** How many deliveries may be made now: a window full at a time, when half of it is free. */
export function roomFor(row: WebhookReplayRow, { pending, untried }: ReplayPending): number {
  const isFull = pending > ROOM_BELOW.pending || untried > ROOM_BELOW.untried;
  return row.all_made || isFull ? 0 : REPLAY_WINDOW - untried;
}

/** The replay after `made` of the `asked` deliveries were made, the last of them for `last_event`. */
export function afterMaking(
  row: WebhookReplayRow,
  batch: { readonly asked: number; readonly made: number; readonly last_event: string | null },
): WebhookReplayRow {
  return { ...row, last_event: batch.last_event ?? row.last_event, all_made: batch.made < batch.asked };
}

/** Completed when nothing of it is left to be made or sent. */
export function settledReplay(row: WebhookReplayRow, pending: number, now: Date): WebhookReplayRow {
  if (row.status !== 'running' || !row.all_made || pending > 0) return row;
  return { ...row, status: 'completed', completed_at: now };
}

/** The replay, ended by its client. Throws `ApiError` ILLEGAL_TRANSITION when it has ended. */
export function cancelledReplay(row: WebhookReplayRow, now: Date): WebhookReplayRow {
  if (row.status !== 'running')
    throw new ApiError(
      'ILLEGAL_TRANSITION',
      `The replay is ${row.status}, and only a running one is cancelled.`,
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
