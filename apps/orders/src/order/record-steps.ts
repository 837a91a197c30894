import { appendEvents, eventsOf } from '@fundrail/messaging';
import { cancelDue, scheduleDue } from '@fundrail/service-kit/due';
import type { Tx } from '@fundrail/persistence';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import type { Decision } from '@fundrail/state-machines';
import {
  countsBusinessDays,
  dueAfter,
  obsoleteAfter,
  type OrderDue,
  type OrderDueKind,
} from './order-due.ts';
import { toOrderObject } from './order-kind.ts';
import type { Order } from './order.ts';
import { appendHistory, saveOrder } from './order.repository.ts';

type Step = Decision<Order>;

/** Records the steps of an order that this transaction has locked: the row, its history, its events, and the work that falls due. */
export async function recordSteps(tx: Tx, before: Order, steps: readonly Step[]): Promise<void> {
  const last = steps.at(-1);
  if (!last) return;
  await saveOrder(tx, last.row);
  await announce(tx, before, steps);
}

/** Records the creation of an order that this transaction has inserted. */
export async function recordCreation(tx: Tx, step: Step): Promise<void> {
  await announce(tx, null, [step]);
}

async function announce(tx: Tx, before: Order | null, steps: readonly Step[]): Promise<void> {
  const [first] = steps;
  if (!first) return;
  await appendHistory(tx, first.row, steps);
  await appendEvents(
    tx,
    steps.flatMap((step, index) => eventsOfStep(tx, steps[index - 1]?.row ?? before, step)),
  );
  await reschedule(tx, first.row, steps);
}

/** Schedules the due work of all steps together. Work that one step schedules and the next makes obsolete is never written. */
async function reschedule(tx: Tx, { id: key, tenant }: Order, steps: readonly Step[]): Promise<void> {
  const left = new Map<OrderDueKind, OrderDue | null>();
  // Only the due work of the last step: an installment's deadline is obsolete before it is written.
  const last = steps.at(-1);
  const holidays = last && countsBusinessDays(last) ? await holidaysForDeadline(tx) : undefined;
  for (const step of steps) {
    for (const kind of obsoleteAfter(step)) left.set(kind, null);
    for (const due of dueAfter(step, tx.now, holidays)) left.set(due.kind, due);
  }
  for (const [kind, due] of left)
    await (due ? scheduleDue(tx, { ...due, key, tenant }) : cancelDue(tx, kind, key));
}

function eventsOfStep(tx: Tx, before: Order | null, decision: Step) {
  return eventsOf({ decision, before, aggregateId: decision.row.id, toObject: toOrderObject, now: tx.now });
}
