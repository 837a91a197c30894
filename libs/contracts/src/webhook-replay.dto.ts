import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { eventPatterns } from './notification-webhook.dto.ts';
import { businessDate, timestamp } from './time.ts';

/** `running` until each of its deliveries was delivered or given up; `cancelled` when its client, or the end of its endpoint, ended it before. */
export const REPLAY_STATUSES = ['running', 'completed', 'cancelled'] as const;

/** An IST date, inclusive, or a timestamp. */
export const moment = z.union([businessDate, timestamp], 'must be a date or a timestamp with an offset');

/** `POST /v2/notification_webhooks/:id/replay`: the events between two moments; `events` narrows what the endpoint listens to. */
export const createWebhookReplay = z
  .strictObject({ from: moment, to: moment, events: eventPatterns.optional() })
  .meta({ id: 'CreateWebhookReplay' });
export type CreateWebhookReplayDto = z.output<typeof createWebhookReplay>;

/** Events that are sent to an endpoint once more (contract §10 "Webhooks"), and how far that has come. */
export const webhookReplay = z
  .strictObject({
    object: z.literal('webhook_replay'),
    id: prefixedId('webhookReplay'),
    webhook: prefixedId('notificationWebhook'),
    status: z.enum(REPLAY_STATUSES),
    from: timestamp,
    to: timestamp,
    events: z.array(z.string()),
    /** Events of that time when the replay was asked for. */
    matched: z.int().nonnegative(),
    /** Those that the endpoint has taken, and those that were given up; one that was retried by hand counts by what came of that. */
    sent: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplayDto = z.infer<typeof webhookReplay>;
