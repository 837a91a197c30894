import type { Tx } from '@fundrail/persistence';
import { RecordedAggregate } from '@fundrail/service-kit/aggregate';
import { addCapture, freeShares, putRefund, updatePayments } from './payment.repository.ts';
import { isDead, toPayment, type Payment, type Step } from './payment.ts';
import { sharesGivenBack } from './refund.ts';

/** A payment with its shares, captures and refunds. */
export const PAYMENT = new RecordedAggregate<Payment, Step>({
  save: async (tx, changes) => {
    await updatePayments(tx, changes);
    for (const { before, after } of changes) await writeChildren(tx, before, after);
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
  await freeShares(tx, after, newlyFree(before, after));
  for (const capture of after.captures.slice(before.captures.length)) await addCapture(tx, capture);
  const known = new Set(before.refunds);
  for (const refund of after.refunds) if (!known.has(refund)) await putRefund(tx, refund);
}

/** The orders that the change releases: all orders of a dead payment, otherwise those whose share was given back. */
function newlyFree(before: Payment, after: Payment): readonly number[] {
  const free = (payment: Payment) =>
    (isDead(payment.status) ? payment.orders : sharesGivenBack(payment)).map((share) => share.old_id);
  const known = new Set(free(before));
  return free(after).filter((id) => !known.has(id));
}
