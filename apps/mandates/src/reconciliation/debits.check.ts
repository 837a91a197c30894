import type { PaymentStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import {
  checkOf,
  compare,
  numbersIn,
  RowsCheck,
  standingName,
  standingsOfPayments,
  type Sides,
} from '@fundrail/service-kit/reconciliation';
import { isLive } from '../debit/debit.ts';
import { checkDebitAt, debitsNamed, pageOfDebits, type HeldDebit } from './standing.repository.ts';

const OPEN = new Set(['PENDING', 'SUBMITTED']);
const DEAD = new Set(['FAILED', 'REJECTED', 'void', 'nothing']);

/** Compares the debits admitted here with their payments. */
export const debitsCheck = checkOf(RowsCheck<HeldDebit>, [Database, ServiceClient], (db, services) => ({
  name: 'debits',
  rows: (after, { from }) => pageOfDebits(db, Number(after), from),
  placeOf: ({ payment_id }) => payment_id,
  named: (found) => debitsNamed(db, numbersIn(found)),
  compare: async (debits) => {
    const ids = debits.map(({ payment_id }) => payment_id);
    return compare(debits, await standingsOfPayments(services, ids), SIDES);
  },
  // The sweep asks payments and releases dead debits. A debit whose payment is unknown there is not repaired: the sweep would make
  // the id void, but the provider may have executed the debit before payments lost the payment.
  repair: async ({ object, facts }) =>
    facts['payment_status'] !== 'nothing' && checkDebitAt(db, Number(object), await db.now()),
}));

const SIDES: Sides<HeldDebit, PaymentStanding> = {
  keyOf: ({ payment_id }) => payment_id,
  otherKeyOf: ({ payment_id }) => payment_id,
  about: ({ payment_id, tenant, mandate_id, state }, payment) => ({
    ...{ object: String(payment_id), tenant },
    facts: { mandate_id, debit: state, payment_status: standingName(payment) },
  }),
  missing: (debit) => ({ debit_differs_at_mandates: !agrees(debit, 'nothing') && {} }),
  differing: (debit, payment) => ({ debit_differs_at_mandates: !agrees(debit, standingName(payment)) && {} }),
};

/** A debit that has started is open, as its payment is, until the event of its end has arrived there. */
function agrees({ state }: HeldDebit, status: string): boolean {
  if (isLive({ state })) return OPEN.has(status);
  if (state === 'succeeded') return !DEAD.has(status) && !OPEN.has(status);
  return DEAD.has(status);
}
