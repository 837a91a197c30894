import type { ProviderName } from '@fundrail/contracts';
import { bigint, defineTable, insertRow, integer, sql, text } from '@fundrail/persistence';
import type { RowOf, Tx } from '@fundrail/persistence';
import type { Outcome } from '../../payment/payment.ts';

/** The mandates by their provider's token; `event_seq` counts the facts that were published under the token. */
export const MANDATE_TOKENS = defineTable('mandate_tokens', {
  provider_name: text<ProviderName>().primary(),
  mandate_token: text().primary(),
  tenant: text(),
  mandate_id: bigint(),
  event_seq: integer().aside(),
});
type KnownMandate = RowOf<typeof MANDATE_TOKENS>;

const storeToken = insertRow(MANDATE_TOKENS, 'ON CONFLICT DO NOTHING');

/** Stores the tenant and mandate of each token that the outcome publishes. In the transaction that records the outcome. */
export async function storeMandateTokens(tx: Tx, { payment, steps }: Outcome): Promise<void> {
  const { provider_name, tenant } = payment;
  for (const { fact } of steps) {
    if (!fact || !('mandate_token' in fact) || fact.mandate_token === null) continue;
    const { mandate_token, mandate_id } = fact;
    await storeToken(tx, { provider_name, mandate_token, tenant, mandate_id });
  }
}

const COUNT_ON = sql(
  'mandate_tokens.count_on',
  'UPDATE mandate_tokens SET event_seq = event_seq + 1 WHERE provider_name = $1 AND mandate_token = $2 RETURNING *',
);

/** Counts one more fact about the mandate and returns the updated row; null when no authorisation of ours has this token. */
export async function countMandateFact(
  tx: Tx,
  provider: ProviderName,
  token: string,
): Promise<KnownMandate | null> {
  const [row] = await tx.query<KnownMandate>(COUNT_ON, [provider, token]);
  return row ?? null;
}

const KNOWN = sql(
  'mandate_tokens.known',
  'SELECT FROM mandate_tokens WHERE provider_name = $1 AND mandate_token = $2',
);

/** Whether the token belongs to an authorisation of ours. */
export async function isMandateToken(tx: Tx, provider: ProviderName, token: string): Promise<boolean> {
  return (await tx.query(KNOWN, [provider, token])).length === 1;
}

/** The mandates whose tokens belong to no authorisation of ours. */
export async function unknownMandates<T extends { readonly mandate_token: string }>(
  tx: Tx,
  provider: ProviderName,
  mandates: readonly T[],
): Promise<T[]> {
  const unknown: T[] = [];
  for (const mandate of mandates)
    if (!(await isMandateToken(tx, provider, mandate.mandate_token))) unknown.push(mandate);
  return unknown;
}
