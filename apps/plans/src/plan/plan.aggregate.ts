import { Aggregate } from '@fundrail/service-kit/aggregate';
import { dueAfter } from './plan-due.ts';
import { planRows } from './plan.repository.ts';
import { toPlan, type Plan } from './plan.ts';

/** A plan with its course. */
export const PLAN = new Aggregate<Plan>({
  rows: planRows,
  history: {
    table: 'redemption_plan_history',
    of: ({ row, from }) => ({ plan_id: row.id, from_state: from, to_state: row.state }),
  },
  toDto: toPlan,
  due: (steps, { now }) => steps.flatMap((step) => dueAfter(step, now)),
});
