import type pg from 'pg';

/** Columns of an order that can be paid: pending, with consent, unclaimed. */
const INSERT = `
  INSERT INTO mf_orders (old_id, id, tenant, kind, mf_investment_account, investor_profile, scheme, state, type, amount, gateway,
    consent, created_at, review_completed_at, event_seq)
  SELECT n, 'mfp_' || lpad(to_hex(n), 32, '0'), $2, 'purchase', $3, $4, 'INF209K01YN0', 'pending', 'fresh', 5000, 'gatewaypoa',
    '{"email":"investor@example.com","isd_code":null,"mobile":null}', now(), now(), 3
  FROM (SELECT nextval('mf_orders_old_id_seq') AS n FROM generate_series(1, $1::int)) AS numbers RETURNING old_id`;

/** Makes orders that can be paid, directly in the database of orders: their creation is not measured. */
export async function makeOrdersToPay(
  orders: pg.Pool,
  count: number,
  owner: { readonly tenant: string; readonly account: string; readonly profile: string },
): Promise<number[]> {
  const values = [count, owner.tenant, owner.account, owner.profile];
  const { rows } = await orders.query<{ old_id: string }>(INSERT, values);
  await orders.query('VACUUM ANALYZE mf_orders');
  return rows.map((row) => Number(row.old_id));
}
