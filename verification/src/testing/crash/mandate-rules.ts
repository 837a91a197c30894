import type { ServiceName } from '@fundrail/contracts';
import { differences, type Finding, type SidesOf } from './finding.ts';
import type { DatabaseView } from './product-databases.ts';
import type { Rule } from './rule.ts';

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
    says: 'no permit stays open',
    breaches: `SELECT concat_ws(' ', payment_id, step, attempt) AS what FROM mandate_permits WHERE closed_at IS NULL`,
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

interface Pair {
  readonly what: string;
  readonly here: readonly [ServiceName, string];
  readonly there: readonly [ServiceName, string];
  readonly kinds: SidesOf;
}

/** The simulated provider's business date in India. */
const TODAY = `(SELECT to_char((clock_timestamp() + offset_ms * interval '1 millisecond') AT TIME ZONE 'Asia/Kolkata', 'YYYY-MM-DD')
  FROM business_clock)`;

/** The facts of mandates, and the same facts in other services. */
const PAIRS: readonly Pair[] = [
  {
    what: 'mandate at the provider',
    here: [
      'mandates',
      `SELECT mandate_token || ' ' || mandate_status AS value FROM mandates WHERE approved_at IS NOT NULL
        UNION ALL SELECT mandate_token || ' CANCELLED' FROM mandate_revocations WHERE reason = 'surplus'`,
    ],
    there: [
      'simulator',
      `SELECT token || ' ' || CASE WHEN status = 'cancelled' THEN 'CANCELLED' WHEN valid_to < ${TODAY} THEN 'EXPIRED'
          WHEN status = 'paused' THEN 'PAUSED' ELSE 'APPROVED' END AS value
         FROM provider_mandates WHERE status IN ('active', 'paused', 'cancelled')`,
    ],
    kinds: { onlyHere: 'lost', onlyThere: 'lost' },
  },
  {
    what: 'authorisation under way',
    here: [
      'mandates',
      `SELECT id || ' by ' || authorising_payment AS value FROM mandates WHERE authorising_payment IS NOT NULL`,
    ],
    there: [
      'payments',
      `SELECT mandate_id || ' by ' || id AS value FROM payments
        WHERE payment_type = 'AUTH_TRANSACTION' AND status IN ('PENDING', 'SUBMITTED')`,
    ],
    kinds: { onlyHere: 'unfinished', onlyThere: 'lost' },
  },
  {
    // A failed debit may have been released earlier, if its payment was already dead when mandates asked about it.
    what: 'debit',
    here: [
      'mandates',
      `SELECT payment_id || ' ' || state AS value FROM mandate_debits WHERE state IN ('admitted', 'succeeded')`,
    ],
    there: [
      'payments',
      `SELECT id || CASE WHEN status IN ('PENDING', 'SUBMITTED') THEN ' admitted' ELSE ' succeeded' END AS value FROM payments
        WHERE payment_type = 'NACH' AND status NOT IN ('FAILED', 'REJECTED')`,
    ],
    kinds: { onlyHere: 'unfinished', onlyThere: 'lost' },
  },
];

/** Mandates, payments and the provider have the same facts about every mandate. */
export async function mandatesAgree(databases: DatabaseView): Promise<Finding[]> {
  const values = async ([service, query]: readonly [ServiceName, string]) =>
    (await databases.rows<{ value: string }>(service, query)).map(({ value }) => value);
  const found = PAIRS.map(async ({ what, here, there, kinds }) =>
    differences(what, await values(here), await values(there), kinds),
  );
  return (await Promise.all(found)).flat();
}
