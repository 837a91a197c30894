import type { Tx } from '@fundrail/persistence';
import { recordCallback } from '../callback/callback.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { toPlanObject, type GatewayPlanRow } from './gateway-plan.ts';

/** Due kinds of the simulated gateway; the key is the plan's reference. */
export const REVIEW_PLAN = 'review_plan';
export const REGISTER_PLAN = 'register_plan';

/** Stores a plan's step and the callback that reports it. This transaction holds the row's lock. */
export async function savePlan(tx: Tx, row: GatewayPlanRow): Promise<void> {
  await store.plans.save(tx, row);
  const { tenant, reference } = row;
  const object = toPlanObject(row);
  await recordCallback(tx, { tenant, topic: 'plans', event: 'plan.updated', reference, object });
}
