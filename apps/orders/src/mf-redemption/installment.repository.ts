import { stringifyJson } from '@fundrail/contracts';
import { OUTBOX_COLUMNS, OUTBOX_TYPES, outboxValues, type NewEvent } from '@fundrail/messaging';
import { sql, type Tx } from '@fundrail/persistence';
import type { Order } from '../order/order.ts';
import { MF_ORDERS } from '../order/order.table.ts';

/** An installment's redemption as it is written: its row, the first entry of its history, its event, and the kind of its due work. */
export interface NewInstallment {
  readonly row: Order;
  readonly trigger: string;
  readonly event: NewEvent;
  readonly due: string | null;
}

const COLUMNS = MF_ORDERS.inserted.join(', ');
const EVENT_ARRAYS = OUTBOX_TYPES.map((type, index) => `$${index + 5}::${type}[]`).join(', ');

// One statement for any number of installments. An installment that exists already, by its id or by its number in the plan, is left
// out of all four tables. The rows are passed as JSON and take their types from the table.
const insert = sql(
  'mf_orders.insert_installments',
  `WITH given AS (
     SELECT * FROM jsonb_populate_recordset(NULL::mf_orders, $1::jsonb)
   ), step AS (
     SELECT * FROM unnest($2::bigint[], $3::text[], $4::text[], ${EVENT_ARRAYS})
       AS step (old_id, trigger, due, ${OUTBOX_COLUMNS})
   ), taken AS (
     INSERT INTO mf_orders (${COLUMNS}) SELECT ${COLUMNS} FROM given ORDER BY plan, installment_number
     ON CONFLICT DO NOTHING
     RETURNING old_id, id, tenant, event_seq, state, created_at
   ), noted AS (
     INSERT INTO mf_order_history (tenant, old_id, event_seq, trigger, from_state, to_state, failure_code, at)
     SELECT taken.tenant, taken.old_id, taken.event_seq, step.trigger, NULL, taken.state, NULL, taken.created_at
       FROM taken JOIN step USING (old_id)
   ), scheduled AS (
     INSERT INTO due_work (kind, key, tenant, due_at, attempts, traceparent)
     SELECT step.due, taken.id, taken.tenant, taken.created_at, 0, step.traceparent
       FROM taken JOIN step USING (old_id)
      WHERE step.due IS NOT NULL
   ), announced AS (
     INSERT INTO outbox (${OUTBOX_COLUMNS})
     SELECT ${OUTBOX_COLUMNS}
       FROM step
      WHERE old_id IN (SELECT old_id FROM taken)
      ORDER BY old_id
   )
   SELECT count(*) AS taken FROM taken`,
);

/** Inserts the installments that do not exist yet, each with its history, event and due work. Returns how many were inserted. */
export async function insertInstallments(tx: Tx, installments: readonly NewInstallment[]): Promise<number> {
  const events = installments.map(({ event }) => outboxValues(event));
  const [row] = await tx.query<{ taken: number }>(insert, [
    stringifyJson(installments.map((installment) => installment.row)),
    installments.map((installment) => installment.row.old_id),
    installments.map(({ trigger }) => trigger),
    installments.map(({ due }) => due),
    ...OUTBOX_TYPES.map((_, column) => events.map((values) => values[column])),
  ]);
  tx.signal('outbox');
  tx.signal('due');
  return row?.taken ?? 0;
}

const made = sql(
  'mf_orders.debit_made',
  `UPDATE mf_orders SET claim_check_at = NULL
    WHERE tenant = $1 AND kind = 'redemption' AND old_id = ANY($2) AND claimed_by = $3 AND claim_check_at IS NOT NULL`,
);

/** Payments has created the debit that holds these installments, so no check is needed whether it exists. */
export async function noteDebitMade(
  tx: Tx,
  tenant: string,
  oldIds: readonly number[],
  paymentId: number,
): Promise<void> {
  await tx.query(made, [tenant, oldIds, paymentId]);
}
