import {
  ApiError,
  istTimestamp,
  type ChangeNotificationWebhookDto,
  type Compatibility,
  type CreateNotificationWebhookDto,
  type NotificationWebhookDto,
} from '@fundrail/contracts';
import type { Cell, Sealed } from '@fundrail/service-kit/crypto';
import type { NotificationWebhookRow, OldSecret } from './notification-webhook.table.ts';

type Owned = Pick<NotificationWebhookRow, 'id' | 'tenant'>;

/** The cell that stores the endpoint's encrypted secret. */
export function secretCell({ id, tenant }: Owned): Cell {
  return { table: 'notification_webhooks', column: 'secret_encrypted', tenant, key: [id] };
}

/** The cell that stores its earlier secrets. */
export function oldSecretCell(row: Owned): Cell {
  return { ...secretCell(row), column: 'old_secrets' };
}

export function newNotificationWebhook(
  input: CreateNotificationWebhookDto,
  given: {
    id: string;
    tenant: string;
    secret_encrypted: string;
    compatibility: Compatibility | null;
    now: Date;
  },
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
    verification: 'not_required',
    verification_error: null,
    challenge: null,
    challenge_until: null,
    challenge_due_at: null,
    challenge_tries: 0,
    compatibility: input.compatibility === undefined ? given.compatibility : input.compatibility,
  };
}

const BY_CLIENT = 'disabled by the client';
const WELL = { failing_since: null, paused_until: null };

/** The endpoint after a PUT: omitted fields keep their values. Enabling it or changing its URL clears its failures and its pause. */
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
    compatibility: changes.compatibility === undefined ? row.compatibility : changes.compatibility,
    updated_at: now,
  };
  if (changes.status === undefined || changes.status === row.status) return changed;
  return changes.status === 'disabled' ? disabledWebhook(changed, BY_CLIENT, now) : enabledWebhook(changed);
}

// HOOK-5: both secrets sign for 24 h.
const OVERLAP_MS = 24 * 60 * 60_000;

/** Each secret adds a signature of 48 bytes to the header, and receivers limit the size of headers. */
const MOST_SECRETS = 10;

/**
 * The endpoint with a new secret. The previous one still signs for 24 h; `encrypted.old` is the previous one, encrypted for its new cell.
 * Throws `ApiError` ILLEGAL_TRANSITION after too many rotations.
 */
export function rotatedWebhook(
  row: NotificationWebhookRow,
  encrypted: { readonly secret: string; readonly old: string },
  now: Date,
): NotificationWebhookRow {
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  const old = [{ secret_encrypted: encrypted.old, until }, ...liveSecrets(row.old_secrets, now)];
  if (old.length >= MOST_SECRETS)
    throw new ApiError(
      'ILLEGAL_TRANSITION',
      `The secret was already rotated ${old.length - 1} times within 24 hours. Try again later.`,
    );
  return { ...row, secret_encrypted: encrypted.secret, old_secrets: old, updated_at: now };
}

/** The old secrets that still sign. */
function liveSecrets(old: readonly OldSecret[], now: Date): OldSecret[] {
  return old.filter(({ until }) => new Date(until) > now);
}

/** All secrets that sign at `now` (business time), newest first. */
export function signingSecrets(
  row: Owned & Pick<NotificationWebhookRow, 'secret_encrypted' | 'old_secrets'>,
  now: Date,
): Sealed[] {
  const old = liveSecrets(row.old_secrets, now);
  return [
    { value: row.secret_encrypted, cell: secretCell(row) },
    ...old.map(({ secret_encrypted }) => ({ value: secret_encrypted, cell: oldSecretCell(row) })),
  ];
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

/** `events` takes precedence; `event` is a list of one. */
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
    verification: row.verification,
    verification_error: row.verification_error,
    created_at: istTimestamp(row.created_at),
    updated_at: istTimestamp(row.updated_at),
    disabled_at: row.disabled_at && istTimestamp(row.disabled_at),
    disabled_reason: row.disabled_reason,
    ...(row.compatibility !== null && { compatibility: row.compatibility }),
  };
}
