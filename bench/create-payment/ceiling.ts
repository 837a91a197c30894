import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { drive } from '../lib/load.ts';
import type { Contender } from './contender.ts';
import { withDatabase } from '../lib/postgres.ts';
import { makeOrdersToPay } from './orders-to-pay.ts';

const OWNER = {
  tenant: 'ceiling',
  account: 'mfia_00000000000000000000000000000001',
  profile: 'invp_00000000000000000000000000000001',
};

const CLAIM = {
  name: 'claim',
  text: `WITH l AS (SELECT old_id FROM mf_orders WHERE old_id = ANY($1) AND claimed_by IS NULL ORDER BY old_id FOR UPDATE)
    UPDATE mf_orders AS o SET claimed_by = $2, payment_id = $2, claimed_at = now(), claim_check_at = now() + interval '1 minute'
    FROM l WHERE o.old_id = l.old_id`,
};

// The rows of one creation, without its decisions: the minimum that any implementation must write.
const CREATE = {
  name: 'create',
  text: `WITH a AS (INSERT INTO payment_ids (id, kind) VALUES ($1, 'payment')),
    b AS (INSERT INTO payments (id, tenant, payment_type, status, amount, debit_date, method, upi, from_bank_account_id,
        provider_name, created_at, event_seq)
      VALUES ($1, $2, 'NETBANKING', 'PENDING', 5000, current_date, 'UPI', '{"type": "uri", "vpa": null, "uri": null}', 1, 'GATEWAYPOA',
        now(), 1)),
    u AS (INSERT INTO upi_requests (payment_id, tenant, state, expires_at) VALUES ($1, $2, 'waiting', now() + interval '30 minutes')),
    c AS (INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live) VALUES ($1, $3, $2, $4, 5000, true)),
    d AS (INSERT INTO order_states (old_id, tenant, order_id, state, sequence) VALUES ($3, $2, $4, 'pending', 3)),
    e AS (INSERT INTO outbox (event_id, type, version, tenant, aggregate_id, sequence, occurred_at, data)
      VALUES ($5, 'payment.pending', 1, $2, $1::text, 1, now(), $6))
    INSERT INTO due_work (kind, key, tenant, due_at) VALUES ('payment.expire', $1::text, $2, now() + interval '30 minutes')`,
};

// As long as the event that fundrail writes for such a payment.
const EVENT_DATA = JSON.stringify({ object: { filler: 'x'.repeat(880) }, previous_attributes: null });

/** The ceiling: the same rows in the same two databases, by one prepared statement each, with nothing in between. */
export function startCeiling(databaseUrl: string): Contender {
  const pool = (name: string) => new pg.Pool({ connectionString: withDatabase(databaseUrl, name), max: 16 });
  const orders = pool('fundrail_orders');
  const payments = pool('fundrail_payments');
  let nextId = 1_000_000_000;
  const stock: number[] = [];
  return {
    prepare: async (count) => void stock.push(...(await makeOrdersToPay(orders, count, OWNER))),
    run: (load) => {
      const ids = stock.splice(0, load.warmup + load.total);
      return drive({
        ...load,
        request: async (index) => {
          const [order = 0, id] = [ids[index], nextId++];
          const claimed = await orders.query({ ...CLAIM, values: [[order], id] });
          const orderId = `mfp_${order.toString(16).padStart(32, '0')}`;
          await payments.query({
            ...CREATE,
            values: [id, OWNER.tenant, order, orderId, randomUUID(), EVENT_DATA],
          });
          return claimed.rowCount === 1;
        },
      });
    },
    close: async () => {
      await orders.end();
      await payments.end();
    },
  };
}
