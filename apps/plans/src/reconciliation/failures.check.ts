import { RECONCILIATION_PAGE } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { checkOf, findings, objectsIn, RowsCheck } from '@fundrail/service-kit/reconciliation';
import { stepsAfterEnd } from '../installment/installment-end.ts';
import { countEnds } from '../installment/installment.repository.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { countedPlans, pageOfCountedPlans, type CountedPlan } from './standing.repository.ts';

/** Compares the failures that a purchase plan has counted with its installments (SIP-17). An object is a plan. */
export const failuresCheck = checkOf(RowsCheck<CountedPlan>, [Database], (db) => ({
  name: 'failures',
  rows: (after) => pageOfCountedPlans(db, after, RECONCILIATION_PAGE),
  placeOf: ({ id }) => id,
  named: (found) => countedPlans(db, objectsIn(found)),
  compare: (plans) =>
    Promise.resolve(
      plans.flatMap(({ id: object, tenant, counted, failed }) =>
        findings(
          { object, tenant, facts: { counted, failed } },
          { failures_differ: counted !== failed && {} },
        ),
      ),
    ),
  repair: async ({ object, tenant }) =>
    tenant !== null &&
    db.transaction(async (tx) => {
      const row = await PLAN.lock(tx, tenant, object);
      if (!row) return false;
      const count = (await countEnds(tx, [row.id])).get(row.id);
      if (!count) return false;
      const end = { ...count, outcome: 'other', folio_number: null } as const;
      await PLAN.record(tx, row, ...stepsAfterEnd(row, end, tx.now));
      return true;
    }),
}));
