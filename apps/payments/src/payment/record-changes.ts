import { appendEvents, eventsOf, type NewEvent } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { scheduleAllDue } from '@fundrail/service-kit/due';
import {
  addCapture,
  addHistory,
  freeShares,
  isCaptureOfAnother,
  putRefund,
  updatePayments,
} from './payment.repository.ts';
import { contradicted, isDead, toPayment, type Outcome, type Payment } from './payment.ts';
import { sharesGivenBack } from './refund.ts';

/** A locked payment, and the decision about it. */
interface DecidedPayment {
  readonly before: Payment;
  readonly outcome: Outcome;
}

/**
 * Writes the outcomes of decisions: rows, history, events and due work, with one statement each for all payments. Each payment may
 * occur only once: a second decision about it would not see the first.
 */
export async function recordChanges(tx: Tx, decided: readonly DecidedPayment[]): Promise<void> {
  const moved = decided.filter(({ outcome }) => outcome.steps.length > 0);
  await updatePayments(
    tx,
    moved.map(({ before, outcome }) => ({ before, after: outcome.payment })),
  );
  for (const { before, outcome } of moved) await writeChildren(tx, before, outcome.payment);
  await addHistory(
    tx,
    moved.flatMap(({ outcome }) => outcome.steps),
  );
  await appendEvents(
    tx,
    moved.flatMap((change) => eventsOfSteps(change, tx.now)),
  );
  await scheduleAllDue(
    tx,
    decided.flatMap(({ outcome }) =>
      outcome.due.map((task) => ({ ...task, tenant: outcome.payment.tenant })),
    ),
  );
}

/** A capture pays one payment only: a provider that reports it for a second one contradicts itself, and nothing changes. */
export async function onlyOwnCaptures(tx: Tx, before: Payment, outcome: Outcome): Promise<Outcome> {
  for (const capture of outcome.payment.captures.slice(before.captures.length))
    if (await isCaptureOfAnother(tx, capture)) return contradicted(before, 'capture_of_another_payment');
  return outcome;
}

function eventsOfSteps({ before, outcome }: DecidedPayment, now: Date): NewEvent[] {
  let previous = before;
  return outcome.steps.flatMap((step) => {
    const { fact } = step;
    const events = eventsOf({
      decision: step,
      before: fact ? null : previous,
      aggregateId: String(outcome.payment.id),
      // A fact has no earlier state, so it is published as new.
      toObject: fact ? () => fact : toPayment,
      now,
    });
    previous = step.row;
    return events;
  });
}

/** The orders that the change releases: all orders of a dead payment, otherwise those whose share was given back. */
function newlyFree(before: Payment, after: Payment): readonly number[] {
  const free = (payment: Payment) =>
    (isDead(payment.status) ? payment.orders : sharesGivenBack(payment)).map((share) => share.old_id);
  const known = new Set(free(before));
  return free(after).filter((id) => !known.has(id));
}

async function writeChildren(tx: Tx, before: Payment, after: Payment): Promise<void> {
  await freeShares(tx, after, newlyFree(before, after));
  for (const capture of after.captures.slice(before.captures.length)) await addCapture(tx, capture);
  const known = new Set(before.refunds);
  for (const refund of after.refunds) if (!known.has(refund)) await putRefund(tx, refund);
}
