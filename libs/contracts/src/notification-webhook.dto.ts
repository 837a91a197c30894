import { z } from 'zod';
import { COMPATIBILITIES } from './compatibility/names.ts';
import { PUBLIC_EVENT_TYPES, PUBLIC_OBJECT_TYPES } from './event.dto.ts';
import { prefixedId } from './ids.ts';
import { notificationWebhook, WEBHOOK_STATUSES } from './notification-webhook-object.dto.ts';
import { secretNotice, shownOnce } from './shown-once.ts';
import { plainText } from './text.ts';

/** The values allowed in `events`: an exact public type, `mf_purchase.*`, or `*` (HOOK-2). */
export const EVENT_PATTERNS: readonly string[] = [
  '*',
  ...PUBLIC_OBJECT_TYPES.map((topic) => `${topic}.*`),
  ...PUBLIC_EVENT_TYPES,
];

/** The patterns that match this event type. */
export function patternsFor(type: string): string[] {
  return ['*', `${type.slice(0, type.indexOf('.'))}.*`, type];
}

export const eventPattern = z
  .string()
  .max(100)
  .refine((text) => EVENT_PATTERNS.includes(text), { message: 'is not a known event type or pattern' });

/** Also a type or pattern that we do not have, as clients of the upstream subscribe to it (COMP-8). */
const anyEventPattern = z
  .string()
  .max(100)
  .regex(/^(\*|[a-z][a-z0-9_]*\.(\*|[a-z][a-z0-9_]*))$/, 'is not an event type or pattern');

/** Response of creation and of a rotation, the only ones with the secret: `whsec_` and 32 bytes in base64. An idempotent replay has null. */
export const createdNotificationWebhook = z
  .strictObject({ ...notificationWebhook.shape, secret: shownOnce, secret_notice: secretNotice })
  .meta({ id: 'CreatedNotificationWebhook' });

const listOfPatterns = (pattern: z.ZodString) =>
  z
    .array(pattern)
    .min(1)
    .max(50)
    .transform((patterns) => [...new Set(patterns)]);

/** The patterns of an endpoint or of a replay, without duplicates. */
export const eventPatterns = listOfPatterns(eventPattern);

const fieldsWith = (pattern: z.ZodString) => ({
  /** The webhooks service checks its scheme, host and IP addresses (HOOK-7, HOOK-8). */
  url: plainText(2048),
  event: pattern,
  events: listOfPatterns(pattern),
  status: z.enum(WEBHOOK_STATUSES),
  /** Whose names its events have (COMP-4); null: ours. Default at creation: those of the client that creates it. */
  compatibility: z.enum(COMPATIBILITIES).nullable(),
});

function hasNotBoth({ event, events }: { event?: unknown; events?: unknown }): boolean {
  return event === undefined || events === undefined;
}

function creationWith(pattern: z.ZodString) {
  const fields = fieldsWith(pattern);
  return z
    .strictObject({
      ...fields,
      event: fields.event.optional(),
      events: fields.events.optional(),
      status: fields.status.default('enabled'),
      compatibility: fields.compatibility.optional(),
    })
    .refine(hasNotBoth, { path: ['events'], message: 'must not be sent together with event' })
    .refine((input) => input.event !== undefined || input.events !== undefined, {
      path: ['events'],
      message: 'is required',
    });
}

/** `POST /v2/notification_webhooks`: exactly one of `event` and `events`. */
export const createNotificationWebhook = creationWith(eventPattern).meta({ id: 'CreateNotificationWebhook' });
export type CreateNotificationWebhookDto = z.output<typeof createNotificationWebhook>;

/** The same of a client of the upstream, with any event type (COMP-8). */
export const createUpstreamWebhook = creationWith(anyEventPattern);

function changeWith(pattern: z.ZodString) {
  return z
    .strictObject(fieldsWith(pattern))
    .partial()
    .refine(hasNotBoth, { path: ['events'], message: 'must not be sent together with event' });
}

/** `PUT /v2/notification_webhooks/:id`: an omitted field keeps its value. */
export const changeNotificationWebhook = changeWith(eventPattern).meta({ id: 'ChangeNotificationWebhook' });
export type ChangeNotificationWebhookDto = z.output<typeof changeNotificationWebhook>;

/** The same of a client of the upstream, with any event type (COMP-8). */
export const changeUpstreamWebhook = changeWith(anyEventPattern);

/** Response of `DELETE /v2/notification_webhooks/:id`. */
export const deletedNotificationWebhook = z
  .strictObject({
    object: z.literal('notification_webhook'),
    id: prefixedId('notificationWebhook'),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeletedNotificationWebhook' });
