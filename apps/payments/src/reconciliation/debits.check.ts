import { debitStandings } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { checkOf, compare, numbersIn, question, RowsCheck } from '@fundrail/service-kit/reconciliation';
import { pageOfDebits, paymentsNamed, type NamedPayment } from './standing.repository.ts';

type Debit = Pick<NamedPayment, 'id' | 'tenant' | 'status'>;

/** Checks that mandates has admitted each live debit. */
export const debitsCheck = checkOf(RowsCheck<Debit>, [Database, ServiceClient], (db, services) => ({
  name: 'admissions',
  rows: (after, { from }) => pageOfDebits(db, Number(after), from),
  placeOf: ({ id }) => id,
  named: async (found) => {
    const named = await paymentsNamed(db, numbersIn(found));
    return named.filter(({ status }) => status !== 'FAILED' && status !== 'REJECTED');
  },
  compare: async (debits) => {
    const payment_ids = debits.map(({ id }) => id);
    const known = await services.call('mandates', question('debits', { payment_ids }, debitStandings));
    return compare(debits, known.debits, {
      keyOf: ({ id }) => id,
      otherKeyOf: ({ payment_id }) => payment_id,
      about: ({ id, tenant, status }) => ({ object: String(id), tenant, facts: { payment_status: status } }),
      missing: () => ({ debit_not_admitted: {} }),
      differing: () => ({}),
    });
  },
}));
