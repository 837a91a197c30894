import { istTimestamp, type ClientDto } from '@fundrail/contracts';
import type { ClientRow } from './client.table.ts';

export function toClient(row: ClientRow): ClientDto {
  return {
    object: 'client',
    client_id: row.client_id,
    scope: row.scope,
    created_at: istTimestamp(row.created_at),
  };
}

/**
 * The scopes of a token: all of the client's when none is requested; null when the client does not have a requested one (RFC 6749
 * §3.3).
 */
export function grantedScope(held: string, asked: string | null): string | null {
  if (asked === null) return held;
  const own = held.split(' ').filter(Boolean);
  const wanted = [...new Set(asked.split(' ').filter(Boolean))];
  return wanted.every((scope) => own.includes(scope)) ? wanted.join(' ') : null;
}
