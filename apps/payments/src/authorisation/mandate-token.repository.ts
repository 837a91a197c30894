import type { AuthorisationFact } from '@fundrail/contracts';
import { sql } from '@fundrail/messaging';
import type { Tx } from '@fundrail/messaging';
import type { PaymentRow, ProviderName } from '../payment/payment.entity.ts';

/** A mandate as its provider names it, the row locked; `event_seq` counts the facts that were passed on under the token. */
export interface KnownMandate {
  readonly provider_name: ProviderName;
  readonly mandate_token: string;
  readonly tenant: string;
  readonly mandate_id: number;
  readonly event_seq: number;
}

const KNOW = sql(
  'mandate_tokens.know',
  `INSERT INTO mandate_tokens (provider_name, mandate_token, tenant, mandate_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING`,
);

/** Remembers whose mandate the provider means by this token; a fact without one is remembered by the next. */
export async function knowMandateToken(
  tx: Tx,
  { provider_name, tenant }: PaymentRow,
  { mandate_token, mandate_id }: AuthorisationFact,
): Promise<void> {
  if (mandate_token !== null) await tx.query(KNOW, [provider_name, mandate_token, tenant, mandate_id]);
}

const COUNT_ON = sql(
  'mandate_tokens.count_on',
  'UPDATE mandate_tokens SET event_seq = event_seq + 1 WHERE provider_name = $1 AND mandate_token = $2 RETURNING *',
);

/** Counts one more fact about the mandate, and answers the row as it is then; null for a token that no authorisation of ours made. */
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

/** Whether an authorisation of ours made that token. */
export async function isMandateToken(tx: Tx, provider: ProviderName, token: string): Promise<boolean> {
  return (await tx.query(KNOWN, [provider, token])).length === 1;
}

/** Those of the mandates whose tokens no authorisation of ours has told. */
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
