import { z } from 'zod';
import { COMPATIBILITIES } from './compatibility/names.ts';
import { prefixedId } from './ids.ts';
import { timestamp } from './time.ts';

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;

/**
 * Whether the endpoint has proved that it wants events (docs/webhooks.md, "Verification"). `not_required`: the tenant's setting
 * `verify_endpoints` was off when the endpoint got its URL. No events are sent while it is `pending_verification` or `verification_failed`.
 */
export const WEBHOOK_VERIFICATIONS = [
  'not_required',
  'pending_verification',
  'verified',
  'verification_failed',
] as const;

/** An endpoint as GET returns it. `event` is the single pattern, or null when there are several. */
export const notificationWebhook = z
  .strictObject({
    object: z.literal('notification_webhook'),
    id: prefixedId('notificationWebhook'),
    url: z.string(),
    event: z.string().nullable(),
    events: z.array(z.string()),
    status: z.enum(WEBHOOK_STATUSES),
    verification: z.enum(WEBHOOK_VERIFICATIONS),
    /** Why the last challenge failed; null when none failed, or a later one succeeded. */
    verification_error: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    disabled_at: timestamp.nullable(),
    disabled_reason: z.string().nullable(),
    /** Whose names its events have (COMP-4). Absent: ours. */
    compatibility: z.enum(COMPATIBILITIES).optional(),
  })
  .meta({ id: 'NotificationWebhook' });
export type NotificationWebhookDto = z.infer<typeof notificationWebhook>;
