import { appendEvents, eventsOf } from '@fundrail/messaging';
import { cancelDue, scheduleDue } from '@fundrail/service-kit/due';
import type { Tx } from '@fundrail/persistence';
import { dueAfter, obsoleteAfter } from './plan-due.ts';
import { appendHistory, savePlan } from './plan.repository.ts';
import { toPlan, type Plan, type PlanStep } from './plan.ts';

/**
 * Records the steps of a plan that this transaction has locked: the rows, their history, their events, and the work that falls due.
 */
export async function recordSteps(tx: Tx, before: Plan, steps: readonly PlanStep[]): Promise<void> {
  const last = steps.at(-1);
  if (!last) return;
  await savePlan(tx, last.row);
  await announce(tx, before, steps);
}

/** Records the creation of a plan that this transaction has inserted. */
export async function recordCreation(tx: Tx, step: PlanStep): Promise<void> {
  await announce(tx, null, [step]);
}

async function announce(tx: Tx, before: Plan | null, steps: readonly PlanStep[]): Promise<void> {
  let from = before;
  for (const decision of steps) {
    const { row } = decision;
    await appendHistory(tx, decision);
    await appendEvents(
      tx,
      eventsOf({ decision, before: from, aggregateId: row.id, toObject: toPlan, now: tx.now }),
    );
    for (const kind of obsoleteAfter(decision)) await cancelDue(tx, kind, row.id);
    for (const due of dueAfter(decision, tx.now))
      await scheduleDue(tx, { ...due, key: row.id, tenant: row.tenant });
    from = row;
  }
}
