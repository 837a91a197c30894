import type { Finding, FindingKind } from './finding.ts';
import type { Rule } from './rule.ts';
import { MANDATE_RULES } from './mandate-rules.ts';
import type { DatabaseView } from './product-databases.ts';

const RULES: readonly Rule[] = [
  {
    of: 'orders',
    breach: 'unfinished',
    says: 'every purchase has ended',
    breaches: `SELECT id || ' is ' || state AS what FROM mf_orders WHERE state NOT IN ('successful', 'failed', 'cancelled')`,
  },
  {
    of: 'orders',
    breach: 'out_of_order',
    says: 'the history of a purchase counts from 1 without a gap',
    breaches: `SELECT o.id AS what FROM mf_orders o LEFT JOIN mf_order_history h USING (old_id) GROUP BY o.id, o.event_seq
      HAVING count(h) <> o.event_seq OR min(h.event_seq) <> 1 OR max(h.event_seq) <> o.event_seq`,
  },
  {
    of: 'orders',
    breach: 'lost',
    says: 'the events of a purchase are all there',
    breaches: `SELECT o.id AS what FROM mf_orders o LEFT JOIN outbox e ON e.aggregate_id = o.id GROUP BY o.id, o.event_seq
      HAVING count(e) <> o.event_seq`,
  },
  {
    of: 'payments',
    breach: 'unfinished',
    says: 'every payment has ended',
    breaches: `SELECT id || ' is ' || status AS what FROM payments WHERE status NOT IN ('APPROVED', 'FAILED', 'REJECTED')
      AND NOT (payment_type = 'AUTH_TRANSACTION' AND status = 'SUCCESS')`,
  },
  {
    of: 'payments',
    breach: 'lost',
    says: 'every event of a payment is there',
    breaches: `SELECT p.id::text AS what FROM payments p LEFT JOIN outbox e ON e.aggregate_id = p.id::text
      GROUP BY p.id HAVING count(e) <> p.event_seq`,
  },
  {
    of: 'payments',
    breach: 'doubled',
    says: 'a payment makes each step once',
    breaches: `SELECT payment_id || ' ' || to_status AS what FROM payment_history WHERE from_status <> to_status
      GROUP BY payment_id, to_status HAVING count(*) > 1`,
  },
  {
    of: 'payments',
    breach: 'doubled',
    says: 'an order is paid once: what came in stays with one payment',
    breaches: `SELECT s.old_id::text AS what FROM payment_orders s JOIN payments p ON p.id = s.payment_id
      WHERE p.received_amount > p.refunded_amount GROUP BY s.old_id HAVING count(*) > 1`,
  },
  {
    of: 'payments',
    breach: 'doubled',
    says: 'a payment is captured once',
    breaches: `SELECT payment_id::text AS what FROM captures GROUP BY payment_id HAVING count(*) > 1`,
  },
  {
    of: 'payments',
    breach: 'lost',
    says: 'what was captured is what was paid, or was given back',
    breaches: `SELECT p.id || ' ' || p.status AS what FROM payments p LEFT JOIN captures c ON c.payment_id = p.id
      GROUP BY p.id HAVING coalesce(sum(c.amount), 0) <> p.received_amount
        OR p.received_amount - p.refunded_amount <> CASE p.status WHEN 'APPROVED' THEN p.amount ELSE 0 END`,
  },
  {
    of: 'payments',
    breach: 'lost',
    says: 'the counters of the list count each payment once',
    breaches: `SELECT concat_ws(' ', tenant, day, payment_type, status) AS what FROM (
        SELECT tenant, day, payment_type, status, n FROM payment_counts
        UNION ALL SELECT tenant, day, payment_type, status, n FROM payment_count_deltas
        UNION ALL SELECT tenant, payment_day(created_at), payment_type, status, -1 FROM payments
      ) AS counted GROUP BY tenant, day, payment_type, status HAVING sum(n) <> 0`,
  },
  {
    of: 'payments',
    breach: 'doubled',
    says: 'an order has at most one live share, and a dead payment none',
    breaches: `SELECT s.old_id::text AS what FROM payment_orders s JOIN payments p ON p.id = s.payment_id
      WHERE s.live GROUP BY s.old_id HAVING count(*) > 1 OR bool_or(p.status IN ('FAILED', 'REJECTED'))`,
  },
  {
    of: 'payments',
    breach: 'unfinished',
    says: 'a refund ends',
    breaches: `SELECT reference AS what FROM refunds WHERE status <> 'SUCCESSFUL' AND returned_by = 'provider'`,
  },
  {
    of: 'simulator',
    breach: 'doubled',
    says: 'the money of a payment is transferred once',
    breaches: `SELECT payment_reference AS what FROM transfers GROUP BY payment_reference HAVING count(*) > 1`,
  },
  {
    of: 'simulator',
    breach: 'unfinished',
    says: 'a transfer is settled, and takes captured money',
    breaches: `SELECT t.payment_reference AS what FROM transfers t LEFT JOIN provider_payments p ON p.reference = t.payment_reference
      WHERE t.status <> 'settled' OR p.status IS DISTINCT FROM 'captured'`,
  },
];

/** The rules for each service: the kind of a breach, and the query that finds it. */
const EVERYWHERE: readonly (readonly [FindingKind, string])[] = [
  [
    'out_of_order',
    `SELECT 'events of ' || aggregate_id || ' do not count from 1 without a gap' AS what FROM outbox
      GROUP BY aggregate_id HAVING min(sequence) <> 1 OR max(sequence) <> count(*)`,
  ],
  [
    'out_of_order',
    `SELECT 'event ' || sequence || ' of ' || aggregate_id || ' was written before the one before it' AS what
       FROM (SELECT *, lag(sequence) OVER (PARTITION BY aggregate_id ORDER BY id) AS before FROM outbox) o
      WHERE sequence < before`,
  ],
  [
    'unfinished',
    `SELECT 'parked: ' || topic || ' ' || aggregate_id || ': ' || coalesce(error, '') AS what FROM parked_events`,
  ],
  [
    'unfinished',
    `SELECT 'a key was never completed: ' || key AS what FROM idempotency_keys WHERE status IS NULL`,
  ],
];

/** The breaches of the rules that need only one service's database. */
export async function breaches(databases: DatabaseView): Promise<Finding[]> {
  const ofOne = [...RULES, ...MANDATE_RULES].map(async ({ of, breach, says, breaches: query }) =>
    (await databases.rows<{ what: string }>(of, query)).map(({ what }): Finding => ({
      kind: breach,
      what: `${says}: ${what}`,
    })),
  );
  const ofAll = EVERYWHERE.map(async ([kind, query]) =>
    (await databases.everywhere<{ what: string }>(query)).map(({ service, what }): Finding => ({
      kind,
      what: `${service}: ${what}`,
    })),
  );
  return (await Promise.all([...ofOne, ...ofAll])).flat();
}
