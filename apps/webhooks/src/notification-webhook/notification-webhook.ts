import {
  istTimestamp,
  type ChangeNotificationWebhookDto,
  type CreateNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import type { NotificationWebhookRow } from './notification-webhook.entity.ts';

export function newNotificationWebhook(
  input: CreateNotificationWebhookDto,
  given: { id: string; tenant: string; secret_encrypted: string; now: Date },
): NotificationWebhookRow {
  const disabled = input.status === 'disabled';
  return {
    id: given.id,
    tenant: given.tenant,
    url: input.url,
    events: patternsOf(input) ?? [],
    status: input.status,
    secret_encrypted: given.secret_encrypted,
    created_at: given.now,
    updated_at: given.now,
    disabled_at: disabled ? given.now : null,
    disabled_reason: disabled ? BY_CLIENT : null,
    failing_since: null,
    deleted_at: null,
    event_seq: 0,
  };
}

const BY_CLIENT = 'disabled by the client';

/** The endpoint after a PUT: what is left out keeps its value. Enabling starts from now: old failures are forgotten. */
export function changedNotificationWebhook(
  row: NotificationWebhookRow,
  changes: ChangeNotificationWebhookDto,
  now: Date,
): NotificationWebhookRow {
  const changed = {
    ...row,
    url: changes.url ?? row.url,
    events: patternsOf(changes) ?? row.events,
    updated_at: now,
  };
  if (changes.status === undefined || changes.status === row.status) return changed;
  return changes.status === 'disabled' ? disabledWebhook(changed, BY_CLIENT, now) : enabledWebhook(changed);
}

export function disabledWebhook(
  row: NotificationWebhookRow,
  reason: string,
  now: Date,
): NotificationWebhookRow {
  return { ...row, status: 'disabled', disabled_at: now, disabled_reason: reason, updated_at: now };
}

function enabledWebhook(row: NotificationWebhookRow): NotificationWebhookRow {
  return { ...row, status: 'enabled', disabled_at: null, disabled_reason: null, failing_since: null };
}

/** `events` is what counts; `event` is a list of one. */
function patternsOf(input: ChangeNotificationWebhookDto): string[] | undefined {
  return input.event === undefined ? input.events : [input.event];
}

export function toNotificationWebhook(row: NotificationWebhookRow): NotificationWebhookDto {
  const [first, second] = row.events;
  return {
    object: 'notification_webhook',
    id: row.id,
    url: row.url,
    event: second === undefined ? (first ?? null) : null,
    events: row.events,
    status: row.status,
    created_at: istTimestamp(row.created_at),
    updated_at: istTimestamp(row.updated_at),
    disabled_at: row.disabled_at && istTimestamp(row.disabled_at),
    disabled_reason: row.disabled_reason,
  };
}
