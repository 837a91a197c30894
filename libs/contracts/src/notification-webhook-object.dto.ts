import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { timestamp } from './time.ts';

export const WEBHOOK_STATUSES = ['enabled', 'disabled'] as const;

/** An endpoint as GET answers it. `event` is the single pattern, or null when there are several. */
export const notificationWebhook = z
  .strictObject({
    object: z.literal('notification_webhook'),
    id: prefixedId('notificationWebhook'),
    url: z.string(),
    event: z.string().nullable(),
    events: z.array(z.string()),
    status: z.enum(WEBHOOK_STATUSES),
    created_at: timestamp,
    updated_at: timestamp,
    disabled_at: timestamp.nullable(),
    disabled_reason: z.string().nullable(),
  })
  .meta({ id: 'NotificationWebhook' });
export type NotificationWebhookDto = z.infer<typeof notificationWebhook>;
