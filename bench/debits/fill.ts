import { onServer, withDatabase } from '../lib/postgres.ts';

const FIRST_MANDATE = 1_000_000;
const FIRST_ORDER = 1_000_000_000;
const TOKEN = 'man_token_';
/** Debits are of a few tenants, as they come. */
const TENANT = `'bench-' || n % 3`;

/** Debits by their numbers: payments have these ids. */
export interface Range {
  readonly first: number;
  readonly count: number;
}

const series = ({ first, count }: Range) => `generate_series(${first}, ${first + count - 1}) AS n`;

/** Approved mandates and the debits admitted under them, as mandates keeps them. */
const ofMandates = (range: Range) => [
  `INSERT INTO mandates (id, mandate_ref, tenant, bank_account_id, investor_profile, mandate_type, mandate_status, mandate_limit,
     valid_from, valid_to, provider_name, mandate_token, umrn, created_at, approved_at, event_seq)
   SELECT ${FIRST_MANDATE} + n, 'man_' || lpad(to_hex(n), 32, '0'), ${TENANT}, n, 'invp_' || lpad(to_hex(n), 32, '0'), 'UPI',
     'APPROVED', 15000, current_date - 30, current_date + 3650, 'GATEWAYPOA', '${TOKEN}' || n, 'UMN' || n,
     now() - interval '30 days', now() - interval '30 days', 2 FROM ${series(range)}`,
  `INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at)
   SELECT n, ${FIRST_MANDATE} + n, ${TENANT}, ${FIRST_ORDER} + n, 1000 + n % 5000, current_date, 'admitted',
     now() - interval '27 hours' FROM ${series(range)}`,
  'VACUUM (ANALYZE) mandates',
  'VACUUM (ANALYZE) mandate_debits',
];

/** Debits whose orders are submitted and whose notices went out 26 hours ago, as payments keeps them. */
const ofPayments = (range: Range) => [
  'ALTER TABLE payments DISABLE TRIGGER USER',
  `INSERT INTO payment_ids (id, kind) SELECT n, 'payment' FROM ${series(range)}`,
  `INSERT INTO payments (id, tenant, payment_type, status, amount, debit_date, method, from_bank_account_id, provider_name,
     payment_postback_url, mandate_id, created_at, event_seq, expires_at, mf_investment_account)
   SELECT n, ${TENANT}, 'NACH', 'PENDING', 1000 + n % 5000, current_date, 'UPI', n, 'GATEWAYPOA', '', ${FIRST_MANDATE} + n,
     now() - interval '27 hours', 1, NULL, 'mfia_' || lpad(to_hex(n), 32, '0') FROM ${series(range)}`,
  `INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live)
   SELECT n, ${FIRST_ORDER} + n, ${TENANT}, 'mfp_' || lpad(to_hex(n), 32, '0'), 1000 + n % 5000, true FROM ${series(range)}`,
  `INSERT INTO order_states (old_id, tenant, order_id, state, sequence)
   SELECT ${FIRST_ORDER} + n, ${TENANT}, 'mfp_' || lpad(to_hex(n), 32, '0'), 'submitted', 5 FROM ${series(range)}`,
  `INSERT INTO debits (payment_id, tenant, mandate_id, mandate_type, mandate_token, umrn, execute_at, planned_at,
     notice_begun_at, notice_called_at, notified_at, told_execute_at, notice_reference, notice_proof)
   SELECT n, ${TENANT}, ${FIRST_MANDATE} + n, 'UPI', '${TOKEN}' || n, 'UMN' || n, now() - interval '1 minute',
     now() - interval '26 hours', now() - interval '26 hours', now() - interval '26 hours', now() - interval '26 hours',
     now() - interval '1 minute', 'ntc_' || n,
     '{"notice_reference":"ntc_' || n || '","status":"sent"}' FROM ${series(range)}`,
  `INSERT INTO payment_counts (tenant, day, payment_type, status, n)
   SELECT tenant, payment_day(created_at), payment_type, status, count(*) FROM payments
    WHERE id BETWEEN ${range.first} AND ${range.first + range.count - 1} GROUP BY 1, 2, 3, 4
   ON CONFLICT (tenant, day, payment_type, status) DO UPDATE SET n = payment_counts.n + excluded.n`,
  'ALTER TABLE payments ENABLE TRIGGER USER',
  ...['payments', 'payment_orders', 'order_states', 'debits'].map((table) => `VACUUM (ANALYZE) ${table}`),
];

/** Creates debits that only wait for their time, directly in the databases: their creation is not measured. */
export async function fill(server: string, range: Range, aheadMs: number): Promise<void> {
  const statements = (made: readonly string[]) => made.map((statement) => byBusinessTime(statement, aheadMs));
  await Promise.all([
    onServer(withDatabase(server, 'fundrail_mandates'), ...statements(ofMandates(range))),
    onServer(withDatabase(server, 'fundrail_payments'), ...statements(ofPayments(range))),
  ]);
  await onServer(server, 'CHECKPOINT');
}

/** Makes the executions of all of them due at the same time. */
export async function beDue(server: string, range: Range, aheadMs: number): Promise<void> {
  await onServer(
    withDatabase(server, 'fundrail_payments'),
    byBusinessTime(
      `INSERT INTO due_work (kind, key, tenant, due_at)
       SELECT 'debit.execute.gatewaypoa', n::text, ${TENANT}, now() - interval '1 minute' FROM ${series(range)}`,
      aheadMs,
    ),
  );
}

/** Replaces the server's time in the statement with business time, `aheadMs` ahead of the wall clock; days are India's. */
function byBusinessTime(statement: string, aheadMs: number): string {
  const now = `(now() + ${aheadMs} * interval '1 millisecond')`;
  return statement
    .replaceAll('now()', now)
    .replaceAll('current_date', `(${now} AT TIME ZONE 'Asia/Kolkata')::date`);
}
