import type { Tx } from '@fundrail/persistence';
import { PLAN } from '../plan/plan.aggregate.ts';
import { complete } from '../plan/plan.ts';
import { endInstallment, hasOpenInstallment, type InstallmentKey } from './installment.repository.ts';

/**
 * Records that an installment's redemption has ended. A plan is completed when its last one ends, in any state (PLAN-17). Returns false
 * when the end was known, or when the installment is unknown.
 */
export async function learnInstallmentEnd(tx: Tx, tenant: string, of: InstallmentKey): Promise<boolean> {
  const row = await PLAN.lock(tx, tenant, of.plan);
  if (!row || !(await endInstallment(tx, tenant, of))) return false;
  const step = complete(row, tx.now);
  if (step && !(await hasOpenInstallment(tx, of.plan))) await PLAN.record(tx, row, step);
  return true;
}
