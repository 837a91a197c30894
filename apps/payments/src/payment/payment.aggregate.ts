import type { Tx } from '@fundrail/persistence';
import { RecordedAggregate } from '@fundrail/service-kit/aggregate';
import { addCapture, freeShares, putRefund, updatePayments } from './payment.repository.ts';
import { isDead, toPayment, type Payment, type Step } from './payment.ts';
import { sharesGivenBack } from './refund.ts';

/** A payment with its shares, captures and refunds. */
export const PAYMENT = new RecordedAggregate<Payment, Step>({
  save: async (tx, changes) => {
    await Promise.all([
      updatePayments(tx, changes),
      ...changes.map(({ before, after }) => writeChildren(tx, before, after)),
    ]);
  },
  idOf: ({ id }) => String(id),
  // The creation has none: the payment's own row records it.
  history: {
    table: 'payment_history',
    of: ({ row, from }) => ({ payment_id: row.id, from_status: from, to_status: row.status }),
  },
  toDto: (payment, { fact }) => fact ?? toPayment(payment),
  isFact: ({ fact }) => fact !== undefined,
});

async function writeChildren(tx: Tx, before: Payment, after: Payment): Promise<void> {
  const known = new Set(before.refunds);
  await Promise.all([
    freeShares(tx, after, newlyFree(before, after)),
    ...after.captures.slice(before.captures.length).map((capture) => addCapture(tx, capture)),
    ...after.refunds.filter((refund) => !known.has(refund)).map((refund) => putRefund(tx, refund)),
  ]);
}

/** The orders that the change releases: all orders of a dead payment, otherwise those whose share was given back. */
function newlyFree(before: Payment, after: Payment): readonly number[] {
  const free = (payment: Payment) =>
    (isDead(payment.status) ? payment.orders : sharesGivenBack(payment)).map((share) => share.old_id);
  const known = new Set(free(before));
  return free(after).filter((id) => !known.has(id));
}
