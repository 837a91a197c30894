import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { checkOf, findings, numbersIn, RowsCheck } from '@fundrail/service-kit/reconciliation';
import { ORDER_DUE } from '../order/order-due.ts';
import { debitedOrders, pageOfDebited, type DebitedOrder } from './standing.repository.ts';

/** Raising takes seconds. After an hour, either payments does not answer, or the work was lost. */
const ON_THE_WAY_MS = 3_600_000;

/** Finds installments of purchase plans whose mandate was not debited, and raises the debit (SIP-25). An object is an order's number. */
export const installmentDebitsCheck = checkOf(RowsCheck<DebitedOrder>, [Database], (db) => ({
  name: 'installment debits',
  graceMs: ON_THE_WAY_MS,
  rows: (after, { to }) => pageOfDebited(db, Number(after), to),
  placeOf: ({ old_id }) => old_id,
  named: (found) => debitedOrders(db, numbersIn(found)),
  compare: (orders) =>
    Promise.resolve(
      orders.flatMap(({ old_id, id: order, tenant, awaits_debit }) =>
        findings(
          { object: String(old_id), tenant, facts: { order } },
          { installment_not_collected: awaits_debit && {} },
        ),
      ),
    ),
  // Payments raises one debit for an order, however often it is asked.
  repair: async ({ tenant, facts }) => {
    if (tenant === null) return false;
    const work = { kind: ORDER_DUE.debit, key: String(facts['order']), tenant };
    await scheduleDue(db, { ...work, due_at: await db.now() });
    return true;
  },
}));
