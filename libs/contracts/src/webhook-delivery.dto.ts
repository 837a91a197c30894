import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { timestamp } from './time.ts';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;

/**
 * Why a delivery failed: ten attempts failed, the endpoint answered 410, the endpoint was disabled (410 and five days of failures
 * also disable it) or deleted, the replay that created it was cancelled, or the endpoint did not answer the challenge.
 */
export const DELIVERY_FAILURE_CODES = [
  'attempts_exhausted',
  'endpoint_gone',
  'endpoint_disabled',
  'endpoint_deleted',
  'replay_cancelled',
  'endpoint_unverified',
] as const;

/** One attempt. `status` is the HTTP status; without a response it is null, and `error` states the reason. */
const deliveryAttempt = z
  .strictObject({
    at: timestamp,
    /** The URL it was sent to; the endpoint's URL may have changed since. Like the next field, null in attempts before it was stored. */
    url: z.string().nullable(),
    /** The `webhook-timestamp` that was signed: seconds since 1970 by the wall clock. */
    webhook_timestamp: z.int().nullable(),
    status: z.int().nullable(),
    duration_ms: z.int().nonnegative(),
    error: z.string().nullable(),
    /** The first 4 kB of the response. */
    response_body: z.string().nullable(),
  })
  .meta({ id: 'DeliveryAttempt' });

/** One event on its way to one endpoint (HOOK-24). `event` is the event's id. */
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
