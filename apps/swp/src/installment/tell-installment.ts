import type { PlanInstallment } from '@fundrail/contracts';
import { appendEvents, currentTraceparent } from '@fundrail/messaging';
import type { Tx } from '@fundrail/service-kit/db';
import { lockPlan } from '../plan/plan.repository.ts';
import { recordSteps } from '../plan/record-steps.ts';
import { tellInstallment } from './drawing.ts';

/** Tells orders of an installment whose redemption it may not have, by an event of the plan; whoever has it drops it. */
export async function tellOfInstallment(tx: Tx, tenant: string, installment: PlanInstallment): Promise<void> {
  const row = await lockPlan(tx, tenant, installment.plan);
  if (!row) return;
  const step = tellInstallment(row);
  await recordSteps(tx, row, [step.counted]);
  await appendEvents(tx, [step.event(installment, tx.now, currentTraceparent())]);
}
