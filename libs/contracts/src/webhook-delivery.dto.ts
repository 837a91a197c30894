import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { timestamp } from './time.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/** Why a delivery was given up: ten attempts failed, it was answered with 410, or its endpoint was disabled (by 410 and by five days of failures too) or removed, or the replay that made it was cancelled. */
export const DELIVERY_FAILURE_CODES = [
  'attempts_exhausted',
  'endpoint_gone',
  'endpoint_disabled',
  'endpoint_deleted',
  'replay_cancelled',
] as const;

/** One try. `status` is the HTTP status, or null when there was no answer and `error` says why. */
export const deliveryAttempt = z
  .strictObject({
    at: timestamp,
    /** Where it went; the endpoint's URL may be another by now. Null for attempts from before it was kept, as the next. */
    url: z.string().nullable(),
    /** The `webhook-timestamp` that was signed: seconds since 1970 by the wall clock. */
    webhook_timestamp: z.int().nullable(),
    status: z.int().nullable(),
    duration_ms: z.int().nonnegative(),
    error: z.string().nullable(),
    /** The first 4 kB of the answer. */
    response_body: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

/** One event on its way to one endpoint (contract §10 "Webhooks"). `event` is the event's id. */
export const webhookDelivery = z
  .strictObject({
    object: z.literal('webhook_delivery'),
    id: prefixedId('webhookDelivery'),
    webhook: prefixedId('notificationWebhook'),
    event: prefixedId('event'),
    type: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    failure_code: z.enum(DELIVERY_FAILURE_CODES).nullable(),
    attempts: z.array(deliveryAttempt),
    next_attempt_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDeliveryDto = z.infer<typeof webhookDelivery>;
