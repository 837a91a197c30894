import { z } from 'zod';
import { PUBLIC_EVENT_TYPES } from './event.dto.ts';
import { prefixedId } from './ids.ts';
import { notificationWebhook, WEBHOOK_STATUSES } from './notification-webhook-object.dto.ts';
import { plainText } from './text.ts';

const topics = [...new Set(PUBLIC_EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.'))))];

/** What `events` may hold: an exact public type, `mf_purchase.*`, or `*` (contract §6). */
export const EVENT_PATTERNS: readonly string[] = [
  '*',
  ...topics.map((topic) => `${topic}.*`),
  ...PUBLIC_EVENT_TYPES,
];

/** The patterns that take in an event of this type. */
export function patternsFor(type: string): string[] {
  return ['*', `${type.slice(0, type.indexOf('.'))}.*`, type];
}

export const eventPattern = z
  .string()
  .max(100)
  .refine((text) => EVENT_PATTERNS.includes(text), { message: 'is not a known event type or pattern' });

/** The answer to its creation and to a rotation: no other shows the secret, `whsec_` and 32 bytes in base64. */
export const createdNotificationWebhook = z
  .strictObject({ ...notificationWebhook.shape, secret: z.string() })
  .meta({ id: 'CreatedNotificationWebhook' });

/** What an endpoint listens to, or a replay sends: each once. */
export const eventPatterns = z
  .array(eventPattern)
  .min(1)
  .max(50)
  .transform((patterns) => [...new Set(patterns)]);

const fields = {
  /** Judged by webhooks: scheme, host and the addresses behind it (contract §6 "URLs"). */
  url: plainText(2048),
  event: eventPattern,
  events: eventPatterns,
  status: z.enum(WEBHOOK_STATUSES),
};

/** `POST /v2/notification_webhooks`: exactly one of `event` and `events`. */
export const createNotificationWebhook = z
  .strictObject({
    ...fields,
    event: fields.event.optional(),
    events: fields.events.optional(),
    status: fields.status.default('enabled'),
  })
  .refine((input) => !(input.event !== undefined && input.events !== undefined), {
    path: ['events'],
    message: 'must not be given together with event',
  })
  .refine((input) => input.event !== undefined || input.events !== undefined, {
    path: ['events'],
    message: 'is required',
  })
  .meta({ id: 'CreateNotificationWebhook' });
export type CreateNotificationWebhookDto = z.output<typeof createNotificationWebhook>;

/** `PUT /v2/notification_webhooks/:id`: what is left out keeps its value. */
export const changeNotificationWebhook = z
  .strictObject(fields)
  .partial()
  .refine((input) => !(input.event !== undefined && input.events !== undefined), {
    path: ['events'],
    message: 'must not be given together with event',
  })
  .meta({ id: 'ChangeNotificationWebhook' });
export type ChangeNotificationWebhookDto = z.output<typeof changeNotificationWebhook>;

/** The answer to `DELETE /v2/notification_webhooks/:id`. */
export const deletedNotificationWebhook = z
  .strictObject({
    object: z.literal('notification_webhook'),
    id: prefixedId('notificationWebhook'),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedNotificationWebhook' });
