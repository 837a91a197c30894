import { onServer, withDatabase } from '../lib/postgres.ts';

export const TENANT = 'bench';
const FIRST_MANDATE = 1_000_000;

/** Installments by their numbers: their orders' `old_id` have these numbers. */
export interface Range {
  readonly first: number;
  readonly count: number;
}

const series = ({ first, count }: Range) => `generate_series(${first}, ${first + count - 1}) AS n`;
const hex = `lpad(to_hex(n), 32, '0')`;

/** Reviewed installments of purchase plans, each with a mandate of its own. */
const ordersOf = (range: Range) => `
  INSERT INTO mf_orders (old_id, id, tenant, kind, mf_investment_account, investor_profile, scheme, folio_number, state, type, amount,
    gateway, plan, installment_number, scheduled_on, payable_until, consent, created_at, review_completed_at, debited_mandate, event_seq)
  SELECT n, 'mfp_' || ${hex}, '${TENANT}', 'purchase', 'mfia_' || ${hex}, 'invp_' || ${hex}, 'INF846K01EW2', '91047558203',
    'pending', 'additional', 1000 + n % 5000, 'gatewaypoa', 'mfpp_' || ${hex}, 2, current_date, now() + interval '7 days',
    jsonb_build_object('email', 'investor' || n || '@example.com', 'isd_code', null, 'mobile', null), now(), now(),
    ${FIRST_MANDATE} + n, 2 FROM ${series(range)}`;

const mandatesOf = (range: Range) => `
  INSERT INTO mandates (id, mandate_ref, tenant, bank_account_id, investor_profile, mandate_type, mandate_status, mandate_limit,
    valid_from, valid_to, provider_name, mandate_token, umrn, created_at, approved_at, event_seq)
  SELECT ${FIRST_MANDATE} + n, 'man_' || ${hex}, '${TENANT}', n, 'invp_' || ${hex}, 'UPI', 'APPROVED', 15000, current_date - 30,
    current_date + 3650, 'GATEWAYPOA', 'man_token_' || n, 'UMN' || n, now() - interval '30 days', now() - interval '30 days', 2
  FROM ${series(range)}`;

/** Makes them directly in the databases: their review and their authorisation are not measured. */
export async function fill(server: string, range: Range): Promise<void> {
  await onServer(withDatabase(server, 'fundrail_orders'), ordersOf(range), 'VACUUM (ANALYZE) mf_orders');
  await onServer(withDatabase(server, 'fundrail_mandates'), mandatesOf(range), 'VACUUM (ANALYZE) mandates');
  await onServer(server, 'CHECKPOINT');
}

/** No gateway is there: a confirmed purchase is not submitted, and its retries do not count as a part of its debit. */
export async function submitNone(server: string): Promise<void> {
  await onServer(
    withDatabase(server, 'fundrail_orders'),
    'CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    `CREATE TRIGGER submit_none BEFORE INSERT ON due_work FOR EACH ROW WHEN (NEW.kind = 'installment.submit') EXECUTE FUNCTION skip()`,
  );
}

/** The debits of all of them fall due. */
export async function beDue(server: string, range: Range): Promise<void> {
  await onServer(
    withDatabase(server, 'fundrail_orders'),
    `INSERT INTO due_work (kind, key, tenant, due_at)
     SELECT 'installment.debit', 'mfp_' || ${hex}, '${TENANT}', now() - interval '1 minute' FROM ${series(range)}`,
  );
}

/** The request of one of these debits, as orders sends it. */
export function requestOf(old_id: number): object {
  const order_id = `mfp_${old_id.toString(16).padStart(32, '0')}`;
  return { tenant: TENANT, mandate_id: FIRST_MANDATE + old_id, old_id, order_id };
}
