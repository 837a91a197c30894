import { appendEvents, eventsOf } from '@fundrail/messaging';
import type { NewEvent, Tx } from '@fundrail/messaging';
import { scheduleAllDue } from '@fundrail/service-kit/due';
import { knowMandateToken } from '../authorisation/mandate-token.repository.ts';
import {
  addCapture,
  addHistory,
  freeShares,
  isCaptureOfAnother,
  putRefund,
  updatePayments,
} from './payment.repository.ts';
import { contradicted, isDead, toPayment } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { sharesGivenBack } from './refund.ts';

/** A payment as it was locked, and what was decided over it. */
export interface DecidedPayment {
  readonly before: Payment;
  readonly outcome: Outcome;
  /** W3C trace context of what is done for this payment; left out: the caller's. */
  readonly traceparent?: string | null;
}

/**
 * Writes what decisions came to: rows, history, events, due work. One statement each however many payments there are, and each
 * payment at most once: the second decision over one would not see the first.
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
  for (const { outcome } of moved)
    for (const { fact } of outcome.steps) if (fact) await knowMandateToken(tx, outcome.payment, fact);
  await appendEvents(
    tx,
    moved.flatMap((change) => eventsOfSteps(change, tx.now)),
  );
  await scheduleAllDue(
    tx,
    decided.flatMap(({ outcome, traceparent = null }) =>
      outcome.due.map((task) => ({ ...task, tenant: outcome.payment.tenant, traceparent })),
    ),
  );
}

/** One capture pays one payment: a provider that tells it of a second one contradicts itself, and nothing changes. */
export async function onlyOwnCaptures(tx: Tx, { before, outcome }: DecidedPayment): Promise<Outcome> {
  for (const capture of outcome.payment.captures.slice(before.captures.length))
    if (await isCaptureOfAnother(tx, capture)) return contradicted(before, 'capture_of_another_payment');
  return outcome;
}

function eventsOfSteps({ before, outcome, traceparent = null }: DecidedPayment, now: Date): NewEvent[] {
  let previous = before;
  return outcome.steps.flatMap((step) => {
    const { fact } = step;
    const events = eventsOf({
      decision: step,
      before: fact ? null : previous,
      aggregateId: String(outcome.payment.id),
      // A fact has no earlier state: it is told as new.
      toObject: fact ? () => fact : toPayment,
      now,
      traceparent,
    });
    previous = step.row;
    return events;
  });
}

/** A dead payment lets go of all its orders, a living one of those whose share it gave back. */
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
