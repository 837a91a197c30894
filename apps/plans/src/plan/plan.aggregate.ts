import { Aggregate } from '@fundrail/service-kit/aggregate';
import { dueAfter } from './plan-due.ts';
import { planRows } from './plan.repository.ts';
import { toPurchasePlan } from '../purchase-plan/purchase-plan.ts';
import { toPlan, type Plan } from './plan.ts';

/** A plan of either kind with its course. */
export const PLAN = new Aggregate<Plan>({
  rows: planRows,
  history: {
    table: 'redemption_plan_history',
    of: ({ row, from }) => ({
      ...{ plan_id: row.id, from_state: from, to_state: row.state },
      ...{ consent: row.agreed?.consent ?? null, terms: row.agreed?.terms ?? null },
    }),
  },
  toDto: (row) => (row.kind === 'purchase' ? toPurchasePlan(row) : toPlan(row)),
  due: (steps, { now }) => steps.flatMap((step) => dueAfter(step, now)),
});
