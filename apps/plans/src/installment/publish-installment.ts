import type { PlanInstallment, PurchaseInstallment } from '@fundrail/contracts';
import { appendEvents, currentTraceparent } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { PLAN } from '../plan/plan.aggregate.ts';
import { installmentPublication } from './drawing.ts';

/** Publishes an installment again as an event of its plan. Orders drops it if it has the order. */
export async function publishInstallment(
  tx: Tx,
  tenant: string,
  installment: PlanInstallment | PurchaseInstallment,
): Promise<void> {
  const row = await PLAN.lock(tx, tenant, installment.plan);
  if (!row) return;
  const step = installmentPublication(row);
  await PLAN.record(tx, row, step.counted);
  await appendEvents(tx, [step.event(installment, tx.now, currentTraceparent())]);
}
