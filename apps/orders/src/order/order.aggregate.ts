import { Aggregate, rowsOf } from '@fundrail/service-kit/aggregate';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { dueAfter } from './order-due.ts';
import { expectedNav } from './expected-nav.ts';
import { toEventObject } from './order-kind.ts';
import { MF_ORDERS, type MfOrder } from './order.table.ts';

/** An order of either kind. */
export const ORDER = new Aggregate<MfOrder>({
  rows: rowsOf(MF_ORDERS, '(tenant, kind, source_ref_id) WHERE source_ref_id IS NOT NULL'),
  history: {
    table: 'mf_order_history',
    of: ({ row: { old_id, state, failure_code }, from }) => ({
      ...{ old_id, from_state: from, to_state: state, failure_code },
    }),
  },
  toDto: (row, step, now) => toEventObject(row, expectedNav(step.row, now)),
  due: async (steps, tx) => {
    // Counted for the last step only: an installment is confirmed with its review, and its deadline is never written.
    const holidays = steps.at(-1)?.trigger === 'pass_review' ? await holidaysForDeadline(tx) : undefined;
    return steps.flatMap((step) => dueAfter(step, tx.now, holidays));
  },
});
