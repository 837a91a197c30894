import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { eventPatterns } from './notification-webhook.dto.ts';
import { businessDate, timestamp } from './time.ts';

/** `running` until each of its deliveries was delivered or failed; `cancelled` when the client cancelled it, or its endpoint was deleted. */
export const REPLAY_STATUSES = ['running', 'completed', 'cancelled'] as const;

/** An IST date, inclusive, or a timestamp. */
export const moment = z
  .union([businessDate, timestamp], 'must be a date or a timestamp with an offset')
  .meta({
    type: 'string',
    format: 'date-time',
    description: 'A timestamp, or an IST date, which is inclusive',
  });

/** `POST /v2/notification_webhooks/:id/replay`: the events between two moments; `events` narrows the endpoint's patterns. */
export const createWebhookReplay = z
  .strictObject({ from: moment, to: moment, events: eventPatterns.optional() })
  .meta({ id: 'CreateWebhookReplay' });
export type CreateWebhookReplayDto = z.output<typeof createWebhookReplay>;

/** A repeated delivery of events to an endpoint (HOOK-26), and its progress. */
export const webhookReplay = z
  .strictObject({
    object: z.literal('webhook_replay'),
    id: prefixedId('webhookReplay'),
    webhook: prefixedId('notificationWebhook'),
    status: z.enum(REPLAY_STATUSES),
    from: timestamp,
    to: timestamp,
    events: z.array(z.string()),
    /** Events in that time range when the replay was created. */
    matched: z.int().nonnegative(),
    /** Deliveries that succeeded, and those that failed. One that was retried by hand counts by its last result. */
    sent: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    created_at: timestamp,
    completed_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookReplay' });
export type WebhookReplayDto = z.infer<typeof webhookReplay>;
