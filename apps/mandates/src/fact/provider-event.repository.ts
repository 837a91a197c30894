import type { MandateFact, ProviderName } from '@fundrail/contracts';
import type { MandateTerms } from '@fundrail/providers';
import { sql, type Tx } from '@fundrail/persistence';

const note = sql(
  'mandate_provider_events.note',
  `INSERT INTO mandate_provider_events (provider_name, event_id, mandate_token, state, received_at)
   VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING event_id`,
);
const contrary = sql(
  'mandate_provider_events.contrary',
  `SELECT FROM mandate_provider_events WHERE provider_name = $1 AND mandate_token = $2 AND state IS DISTINCT FROM 'active' LIMIT 1`,
);
// Serialises a notification about a token and the approval that contains the token, so that the later one sees the earlier.
const lock = sql(
  'mandate_provider_events.lock_token',
  'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))',
);

/** A provider's notification about a mandate. `state` is null when the notification is not understood. */
export interface ProviderEvent {
  readonly provider_name: ProviderName;
  readonly event_id: string;
  readonly mandate_token: string;
  readonly state: MandateFact['status'] | null;
  /** Absent where the provider does not report them. */
  readonly terms?: MandateTerms;
}

/** Waits for every other transaction that handles this token. */
export async function lockToken(tx: Tx, provider: ProviderName, token: string): Promise<void> {
  await tx.query(lock, [`mandate token ${provider} ${token}`]);
}

/** Stores a notification under the provider's own event id. Returns false when it was stored before: a repeat changes nothing. */
export async function noteProviderEvent(tx: Tx, event: ProviderEvent): Promise<boolean> {
  const { provider_name, event_id, mandate_token, state } = event;
  const rows = await tx.query(note, [provider_name, event_id, mandate_token, state, tx.now]);
  return rows.length === 1;
}

/** Whether the provider has reported another state than active for this token. */
export async function hasContraryReport(tx: Tx, provider: ProviderName, token: string): Promise<boolean> {
  return (await tx.query(contrary, [provider, token])).length === 1;
}
