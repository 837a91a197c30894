import { paymentOfReference } from '@fundrail/providers';
import type { BookedTransfer } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { BookCheck, checkOf, compare, type About, type Sides } from '@fundrail/service-kit/reconciliation';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { AskAgain } from './ask-again.ts';
import { paymentsNamed, type NamedPayment } from './standing.repository.ts';

/** Payment statuses that agree with a transfer's status. A waiting transfer may have already ended here by a callback. */
const SAME: Readonly<Record<string, readonly NamedPayment['status'][]>> = {
  waiting: ['INITIATED', 'APPROVED', 'REJECTED'],
  settled: ['APPROVED'],
  rejected: ['REJECTED'],
};

const SIDES: Sides<About, NamedPayment> = {
  keyOf: ({ object }) => paymentOfReference(object),
  otherKeyOf: ({ id }) => id,
  about: (entry, payment) => ({
    ...{ object: entry.object, tenant: payment?.tenant ?? null },
    facts: { ...entry.facts, payment_id: payment?.id ?? null, payment_status: payment?.status ?? null },
  }),
  missing: () => ({ transfer_unknown_here: {} }),
  differing: ({ object, facts }, { transfer_reference, status }) => {
    if (transfer_reference !== object) return { transfer_unknown_here: {} };
    return { transfer_differs_at_gateway: !SAME[String(facts['status_there'])]?.includes(status) && {} };
  },
};

/** Compares the transfers in the order gateway's own list with ours. A transfer that is missing there is sent again by our worker. */
export const transfersCheck = checkOf(
  BookCheck<BookedTransfer>,
  [Database, PaymentProviders, AskAgain],
  (db, providers, ask) => ({
    name: 'transfers',
    list: (query) => providers.transfers.listTransfers?.(query),
    noList: 'the gateway gives no list',
    entryOf: ({ reference: object, payment_reference, amount, status }) => ({
      ...{ object, tenant: null },
      facts: { status_there: status, amount_there: amount.toString(), payment_reference },
    }),
    compare: async (entries) => {
      const ids = entries.flatMap(({ object }) => paymentOfReference(object) ?? []);
      return compare(entries, await paymentsNamed(db, ids), SIDES);
    },
    now: (finding) => Promise.resolve(finding),
    repair: async ({ facts: { payment_id: id } }) => typeof id === 'number' && ask.aboutTransfer(id),
  }),
);
