import type { Cell } from '@fundrail/service-kit/crypto';
import type { SigningKeyRow } from './signing-key.table.ts';

// AUTH-9: published 15 min before the first use, kept an hour after the last; a new key every 30 days.
export const PUBLISH_AHEAD_MS = 15 * 60_000;
export const KEEP_AFTER_MS = 60 * 60_000;
export const ROTATE_EVERY_MS = 30 * 24 * 60 * 60_000;

/** The cell that stores a private key, encrypted. The key signs for all tenants. */
export function privateJwkCell(kid: string): Cell {
  return { table: 'signing_keys', column: 'private_jwk_encrypted', tenant: null, key: [kid] };
}

type Times = Pick<SigningKeyRow, 'kid' | 'active_from'>;

const after = (at: Date, ms: number): Date => new Date(at.getTime() + ms);

/** The key that signs now: the one that started last. Null before there is any. */
export function activeKey<K extends Times>(keys: readonly K[], now: Date): K | null {
  const begun = keys.filter((key) => key.active_from <= now);
  return begun.reduce<K | null>(
    (last, key) => (last && last.active_from > key.active_from ? last : key),
    null,
  );
}

/**
 * When a key that is due should start: at once for the first, else 30 days after the last one and 15 minutes after publication at
 * the earliest. Null while none is due.
 */
export function nextKeyBegins(keys: readonly Times[], now: Date): Date | null {
  const last = keys.reduce<Date | null>(
    (latest, key) => (latest && latest > key.active_from ? latest : key.active_from),
    null,
  );
  if (!last) return now;
  const planned = after(last, ROTATE_EVERY_MS);
  const earliest = after(now, PUBLISH_AHEAD_MS);
  if (planned > earliest) return null;
  return earliest;
}

/** Keys whose last token has expired: their successor started more than an hour ago. */
export function retiredKeys<K extends Times>(keys: readonly K[], now: Date): K[] {
  return keys.filter((key) =>
    keys.some(
      (other) => other.active_from > key.active_from && after(other.active_from, KEEP_AFTER_MS) <= now,
    ),
  );
}
