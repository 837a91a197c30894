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

/** Approved mandates, and debits under them whose orders are submitted and whose notices went out 26 hours ago. */
const ofMandates = (range: Range) => [
  `INSERT INTO mandates (id, mandate_ref, tenant, bank_account_id, investor_profile, mandate_type, mandate_status, mandate_limit,
     valid_from, valid_to, provider_name, mandate_token, umrn, created_at, approved_at, event_seq)
   SELECT ${FIRST_MANDATE} + n, 'man_' || lpad(to_hex(n), 32, '0'), ${TENANT}, n, 'invp_' || lpad(to_hex(n), 32, '0'), 'UPI',
     'APPROVED', 15000, current_date - 30, current_date + 3650, 'GATEWAYPOA', '${TOKEN}' || n, 'UMN' || n,
     now() - interval '30 days', now() - interval '30 days', 2 FROM ${series(range)}`,
  `INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, execute_at,
     mf_investment_account, notice_begun_at, notice_called_at, notified_at, notice_execute_at, notice_reference, notice_proof)
   SELECT n, ${FIRST_MANDATE} + n, ${TENANT}, ${FIRST_ORDER} + n, 1000 + n % 5000, current_date, 'planned',
     now() - interval '27 hours', now() - interval '1 minute', 'mfia_' || lpad(to_hex(n), 32, '0'),
     now() - interval '26 hours', now() - interval '26 hours', now() - interval '26 hours', now() - interval '1 minute',
     'ntc_' || n, '{"notice_reference":"ntc_' || n || '","status":"sent"}' FROM ${series(range)}`,
  'VACUUM (ANALYZE) mandates',
  'VACUUM (ANALYZE) mandate_debits',
];

/** Creates debits that only wait for their time, directly in the database: their creation is not measured. */
export async function fill(server: string, range: Range, aheadMs: number): Promise<void> {
  const statements = ofMandates(range).map((statement) => byBusinessTime(statement, aheadMs));
  await onServer(withDatabase(server, 'fundrail_mandates'), ...statements);
  await onServer(server, 'CHECKPOINT');
}

/** Makes the executions of all of them due at the same time. */
export async function beDue(server: string, range: Range, aheadMs: number): Promise<void> {
  await onServer(
    withDatabase(server, 'fundrail_mandates'),
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
