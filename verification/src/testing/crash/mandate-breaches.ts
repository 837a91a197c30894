import type { ServiceName } from '@fundrail/contracts';
import type { FindingKind } from './finding.ts';

/** A statement that breaks the data of a sound product, and a part of the finding that has to report it. */
export interface Breach {
  readonly what: string;
  readonly of: ServiceName;
  readonly by: string;
  readonly found: FindingKind;
  readonly says: string;
}

const ONE = '(SELECT min(id) FROM mandates)';

/** Each rule about mandates, broken. */
export const MANDATE_BREACHES: readonly Breach[] = [
  {
    what: 'a mandate that is not what its history says',
    of: 'mandates',
    by: `UPDATE mandates SET mandate_status = 'PAUSED' WHERE id = ${ONE}`,
    found: 'out_of_order',
    says: 'a mandate is what its history says',
  },
  {
    what: 'a step of a mandate that is not in its history',
    of: 'mandates',
    by: 'DELETE FROM mandate_history WHERE event_seq = 2',
    found: 'out_of_order',
    says: 'a mandate is what its history says',
  },
  {
    what: 'an event of a mandate that was never written',
    of: 'mandates',
    by: `DELETE FROM outbox WHERE sequence = 2 AND aggregate_id = ${ONE}::text`,
    found: 'lost',
    says: 'the events of a mandate are all there',
  },
  {
    what: 'a doubt that was never settled',
    of: 'mandates',
    by: `UPDATE mandates SET mandate_status = 'APPROVED', doubted_at = now() WHERE id = ${ONE}`,
    found: 'unfinished',
    says: 'no doubt about a mandate stays',
  },
  {
    what: 'an attempt whose result was never recorded',
    of: 'mandates',
    by: `UPDATE debit_attempts SET state = 'accepted', ended_at = NULL, provider_reference = NULL, failure_code = NULL`,
    found: 'unfinished',
    says: 'no attempt of a debit stays open',
  },
  {
    what: 'an order that was debited twice',
    of: 'mandates',
    by: `DROP INDEX mandate_debits_one_holder; INSERT INTO mandate_debits
        (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, ended_at, check_at)
      SELECT payment_id + 1, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, ended_at, check_at FROM mandate_debits`,
    found: 'doubled',
    says: 'an order is debited once',
  },
  {
    what: 'a debit that was admitted for a payment that was never created',
    of: 'mandates',
    by: `INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, ended_at, check_at)
      SELECT 1, mandate_id, tenant, 1, amount, debit_date, 'admitted', admitted_at, NULL, NULL FROM mandate_debits`,
    found: 'unfinished',
    says: 'debit 1 admitted is on our side only',
  },
  {
    what: 'a debit that mandates does not know',
    of: 'mandates',
    by: 'DELETE FROM debit_attempts; DELETE FROM mandate_permits; DELETE FROM mandate_debits',
    found: 'lost',
    says: 'debit ',
  },
  {
    what: 'a surplus that was never revoked',
    of: 'mandates',
    by: `UPDATE mandate_revocations SET revoked_at = NULL WHERE reason = 'surplus'`,
    found: 'unfinished',
    says: 'is revoked at the provider: surplus',
  },
  {
    what: 'an authorisation that holds its mandate forever',
    of: 'mandates',
    by: `UPDATE mandates SET authorising_payment = 1, authorising_since = now() WHERE id = ${ONE}`,
    found: 'unfinished',
    says: 'authorisation under way',
  },
  {
    what: 'two live authorisations of one mandate',
    of: 'payments',
    by: `UPDATE payments SET status = 'PENDING', failure_code = NULL, failed_at = NULL, late_auth = false WHERE payment_type = 'AUTH_TRANSACTION'`,
    found: 'doubled',
    says: 'a mandate has one live authorisation',
  },
  {
    what: 'a surplus that lives on at the provider',
    of: 'simulator',
    by: `UPDATE provider_mandates SET status = 'active' WHERE mandate_id = (SELECT mandate_id FROM provider_mandates GROUP BY mandate_id HAVING count(*) > 1)`,
    found: 'doubled',
    says: 'a mandate has one token that can be debited',
  },
  {
    what: 'a mandate that the investor has paused, while the product does not know',
    of: 'simulator',
    by: `UPDATE provider_mandates SET status = 'paused'`,
    found: 'lost',
    says: 'mandate at the provider',
  },
  {
    what: 'a bank that received one debit twice',
    of: 'simulator',
    by: `INSERT INTO provider_debits (reference, payment_reference, tenant, mandate_token, amount, attempt, status, created_at)
      SELECT reference || '-2', payment_reference, tenant, mandate_token, amount, 2, status, created_at FROM provider_debits`,
    found: 'doubled',
    says: 'the bank is debited once',
  },
  {
    what: 'a mandate that the client does not know',
    of: 'mandates',
    by: `INSERT INTO mandates (id, mandate_ref, tenant, bank_account_id, investor_profile, mandate_type, mandate_status, mandate_limit,
        valid_from, valid_to, provider_name, created_at, event_seq)
      SELECT 1, 'man_x', tenant, bank_account_id, investor_profile, mandate_type, 'CREATED', mandate_limit, valid_from, valid_to,
        provider_name, created_at, 1 FROM mandates LIMIT 1`,
    found: 'doubled',
    says: 'mandate 1',
  },
];
