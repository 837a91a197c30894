import {
  ApiError,
  istTimestamp,
  type ChangeNotificationWebhookDto,
  type CreateNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import type { NotificationWebhookRow, OldSecret } from './notification-webhook.entity.ts';

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
    old_secrets: [],
    created_at: given.now,
    updated_at: given.now,
    disabled_at: disabled ? given.now : null,
    disabled_reason: disabled ? BY_CLIENT : null,
    failing_since: null,
    paused_until: null,
    deleted_at: null,
    event_seq: 0,
  };
}

const BY_CLIENT = 'disabled by the client';
const WELL = { failing_since: null, paused_until: null };

/** The endpoint after a PUT: what is left out keeps its value. Enabled or under another URL it has neither failed nor asked for a pause. */
export function changedNotificationWebhook(
  row: NotificationWebhookRow,
  changes: ChangeNotificationWebhookDto,
  now: Date,
): NotificationWebhookRow {
  const url = changes.url ?? row.url;
  const changed = {
    ...row,
    ...(url !== row.url && WELL),
    url,
    events: patternsOf(changes) ?? row.events,
    updated_at: now,
  };
  if (changes.status === undefined || changes.status === row.status) return changed;
  return changes.status === 'disabled' ? disabledWebhook(changed, BY_CLIENT, now) : enabledWebhook(changed);
}

// Contract §6: both secrets sign for 24 h.
const OVERLAP_MS = 24 * 60 * 60_000;

/** Each secret is a signature of 48 bytes in the header, and receivers bound their headers. */
const MOST_SECRETS = 10;

/** The endpoint with a new secret; the one before it signs on for 24 h. Throws `ApiError` ILLEGAL_TRANSITION for too many. */
export function rotatedWebhook(
  row: NotificationWebhookRow,
  secretEncrypted: string,
  now: Date,
): NotificationWebhookRow {
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const old = [{ secret_encrypted: row.secret_encrypted, until }, ...liveSecrets(row.old_secrets, now)];
  if (old.length >= MOST_SECRETS)
    throw new ApiError('ILLEGAL_TRANSITION', `The secret was rotated ${old.length - 1} times within 24 h.`);
  return { ...row, secret_encrypted: secretEncrypted, old_secrets: old, updated_at: now };
}

/** Those of the old secrets that still sign. */
export function liveSecrets(old: readonly OldSecret[], now: Date): OldSecret[] {
  return old.filter(({ until }) => new Date(until) > now);
}

export function disabledWebhook(
  row: NotificationWebhookRow,
  reason: string,
  now: Date,
): NotificationWebhookRow {
  return { ...row, status: 'disabled', disabled_at: now, disabled_reason: reason, updated_at: now };
}

function enabledWebhook(row: NotificationWebhookRow): NotificationWebhookRow {
  return { ...row, ...WELL, status: 'enabled', disabled_at: null, disabled_reason: null };
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
