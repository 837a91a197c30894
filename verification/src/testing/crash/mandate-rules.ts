import type { Pair, Rule } from './rule.ts';

/** The rules that hold in mandates' own database once all work has ended. */
export const MANDATE_RULES: readonly Rule[] = [
  {
    of: 'mandates',
    breach: 'out_of_order',
    says: 'a mandate is what its history says, step by step from 1 without a gap',
    breaches: `SELECT m.id || ' is ' || m.mandate_status AS what FROM mandates m LEFT JOIN mandate_history h ON h.mandate_id = m.id
      GROUP BY m.id HAVING max(h.event_seq) <> m.event_seq OR min(h.event_seq) <> 1
        OR (array_agg(h.to_status ORDER BY h.id DESC))[1] IS DISTINCT FROM m.mandate_status
        OR count(DISTINCT h.event_seq) <> m.event_seq`,
  },
  {
    of: 'mandates',
    breach: 'lost',
    says: 'the events of a mandate are all there',
    breaches: `SELECT m.id::text AS what FROM mandates m LEFT JOIN outbox e ON e.aggregate_id = m.id::text
      GROUP BY m.id HAVING count(e) <> m.event_seq`,
  },
  {
    of: 'mandates',
    breach: 'unfinished',
    says: 'no doubt about a mandate stays',
    breaches: 'SELECT id::text AS what FROM mandates WHERE doubted_at IS NOT NULL',
  },
  {
    of: 'mandates',
    breach: 'unfinished',
    says: 'no attempt of a debit stays open',
    breaches: `SELECT reference AS what FROM debit_attempts WHERE state IN ('begun', 'accepted')`,
  },
  {
    of: 'mandates',
    breach: 'doubled',
    says: 'an order is debited once',
    breaches: `SELECT old_id::text AS what FROM mandate_debits WHERE state = 'succeeded' GROUP BY old_id HAVING count(*) > 1`,
  },
  {
    of: 'mandates',
    breach: 'unfinished',
    says: 'what is cancelled here, or surplus, is revoked at the provider',
    breaches: `SELECT reason || ' ' || mandate_token AS what FROM mandate_revocations WHERE revoked_at IS NULL`,
  },
  {
    of: 'payments',
    breach: 'doubled',
    says: 'a mandate has one live authorisation',
    breaches: `SELECT mandate_id::text AS what FROM payments
      WHERE payment_type = 'AUTH_TRANSACTION' AND status IN ('PENDING', 'SUBMITTED') GROUP BY mandate_id HAVING count(*) > 1`,
  },
  {
    of: 'simulator',
    breach: 'doubled',
    says: 'a mandate has one token that can be debited',
    breaches: `SELECT mandate_id::text AS what FROM provider_mandates WHERE status IN ('active', 'paused')
      GROUP BY mandate_id HAVING count(*) > 1`,
  },
  {
    of: 'simulator',
    breach: 'doubled',
    says: 'the bank is debited once',
    breaches: `SELECT payment_reference AS what FROM provider_debits WHERE status = 'captured'
      GROUP BY payment_reference HAVING count(*) > 1`,
  },
];

/** The simulated provider's business date in India. */
const TODAY = `(SELECT to_char((clock_timestamp() + offset_ms * interval '1 millisecond') AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD')
  FROM business_clock)`;

/** The facts of mandates, and the same facts in other services. */
export const MANDATE_PAIRS: readonly Pair[] = [
  {
    what: 'mandate at the provider',
    of: 'mandates',
    ours: `SELECT mandate_token || ' ' || mandate_status AS value FROM mandates WHERE approved_at IS NOT NULL
        UNION ALL SELECT mandate_token || ' CANCELLED' FROM mandate_revocations WHERE reason = 'surplus'`,
    at: 'simulator',
    theirs: `SELECT token || ' ' || CASE WHEN status = 'cancelled' THEN 'CANCELLED' WHEN valid_to < ${TODAY} THEN 'EXPIRED'
          WHEN status = 'paused' THEN 'PAUSED' ELSE 'APPROVED' END AS value
         FROM provider_mandates WHERE status IN ('active', 'paused', 'cancelled')`,
    kinds: { onlyHere: 'lost', onlyThere: 'lost' },
  },
  {
    what: 'authorisation under way',
    of: 'mandates',
    ours: `SELECT id || ' by ' || authorising_payment AS value FROM mandates WHERE authorising_payment IS NOT NULL`,
    at: 'payments',
    theirs: `SELECT mandate_id || ' by ' || id AS value FROM payments
        WHERE payment_type = 'AUTH_TRANSACTION' AND status IN ('PENDING', 'SUBMITTED')`,
    kinds: { onlyHere: 'unfinished', onlyThere: 'lost' },
  },
  {
    // A failed debit may have been released earlier, if its payment was already dead when mandates asked about it.
    what: 'debit',
    of: 'mandates',
    ours: `SELECT payment_id || CASE state WHEN 'succeeded' THEN ' succeeded' ELSE ' admitted' END AS value FROM mandate_debits
        WHERE state NOT IN ('failed', 'cancelled', 'released')`,
    at: 'payments',
    theirs: `SELECT id || CASE WHEN status IN ('PENDING', 'SUBMITTED') THEN ' admitted' ELSE ' succeeded' END AS value FROM payments
        WHERE payment_type = 'NACH' AND status NOT IN ('FAILED', 'REJECTED')`,
    kinds: { onlyHere: 'unfinished', onlyThere: 'lost' },
  },
];
