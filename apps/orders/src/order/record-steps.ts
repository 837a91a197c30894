import { appendEvents, eventsOf } from '@fundrail/messaging';
import { cancelDue, scheduleDue } from '@fundrail/service-kit/due';
import type { Tx } from '@fundrail/service-kit/db';
import type { Decision } from '@fundrail/state-machines';
import { toMfPurchase } from '../mf-purchase/mf-purchase.ts';
import { dueAfter, pointlessAfter } from './order-due.ts';
import type { MfOrder } from './order.entity.ts';
import { appendHistory, saveOrder } from './order.repository.ts';

type Row = Readonly<MfOrder>;
type Step = Decision<Row>;

/** Records the steps of an order that this transaction has locked: the row, its history, its events, and what falls due. */
export async function recordSteps(tx: Tx, before: Row, steps: readonly Step[]): Promise<void> {
  const last = steps.at(-1);
  if (!last) return;
  await saveOrder(tx, last.row);
  await announce(tx, before, steps);
}

/** Records the creation of an order that this transaction has inserted. */
export async function recordCreation(tx: Tx, step: Step): Promise<void> {
  await announce(tx, null, [step]);
}

async function announce(tx: Tx, before: Row | null, steps: readonly Step[]): Promise<void> {
  const [first] = steps;
  if (!first) return;
  await appendHistory(tx, first.row, steps);
  await appendEvents(
    tx,
    steps.flatMap((step, index) => eventsOfStep(tx, steps[index - 1]?.row ?? before, step)),
  );
  for (const step of steps) await reschedule(tx, step);
}

async function reschedule(tx: Tx, step: Step): Promise<void> {
  const { id: key, tenant } = step.row;
  for (const kind of pointlessAfter(step)) await cancelDue(tx, kind, key);
  for (const due of dueAfter(step, tx.now)) await scheduleDue(tx, { ...due, key, tenant });
}

function eventsOfStep(tx: Tx, before: Row | null, decision: Step) {
  return eventsOf({ decision, before, aggregateId: decision.row.id, toObject: toMfPurchase, now: tx.now });
}
