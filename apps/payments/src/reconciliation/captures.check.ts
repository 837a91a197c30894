import { paymentOfReference, paymentReference } from '@fundrail/providers';
import type { BookedCapture, PaymentProvider } from '@fundrail/providers';
import type { Database } from '@fundrail/service-kit/db';
import {
  BookCheck,
  compare,
  Unanswered,
  type About,
  type Finding,
  type ReconciliationCheck,
} from '@fundrail/service-kit/reconciliation';
import type { AskAgain } from './ask-again.ts';
import { capturesNamed, paymentsNamed, unseenCaptures } from './standing.repository.ts';

/** Compares the captures in a provider's own list with ours. */
export function capturesCheck(db: Database, provider: PaymentProvider, ask: AskAgain): ReconciliationCheck {
  const name = `captures at ${provider.name}`;
  return new BookCheck<BookedCapture>({
    name,
    list: (query) => provider.books?.captures(query),
    noList: `${provider.name} gives no list`,
    entryOf: ({ provider_reference: object, reference, amount }) => ({
      ...{ object, tenant: null },
      facts: { provider: provider.name, reference, amount_there: amount.toString() },
    }),
    compare: (entries) => compareCaptures(db, provider.name, entries),
    // A capture does not change there: the entry in the finding is compared again. Only a missing one may have come.
    now: async (finding) =>
      finding.kind === 'capture_not_at_provider' ? isMissing(provider, finding) : finding,
    missingThere: {
      ...{ db, kind: 'capture_not_at_provider' },
      unseen: (after, window) =>
        unseenCaptures(db, { provider: provider.name, check: name, after, ...window }),
    },
    repair: async ({ kind, facts }) =>
      kind === 'capture_not_booked' && ask.aboutPayment(Number(facts['payment_id'])),
  });
}

async function compareCaptures(
  db: Database,
  provider: string,
  entries: readonly About[],
): Promise<readonly Finding[]> {
  const references = entries.map(({ object }) => object);
  const captures = await capturesNamed(db, provider, references);
  const ids = entries.flatMap((entry) => idOf(entry) ?? []);
  const payments = new Map((await paymentsNamed(db, ids)).map((payment) => [payment.id, payment]));
  const paymentOf = (entry: About) => payments.get(idOf(entry) ?? 0);
  return compare(entries, captures, {
    keyOf: ({ object }) => object,
    otherKeyOf: ({ provider_reference }) => provider_reference,
    about: (entry) => ({ ...entry, tenant: paymentOf(entry)?.tenant ?? null }),
    missing: (entry) => {
      const payment = paymentOf(entry);
      if (!payment) return { capture_of_unknown_payment: {} };
      const { id: payment_id, status: payment_status, payment_type } = payment;
      // An authorisation takes no money, even if the provider lists it as a capture.
      return { capture_not_booked: payment_type !== 'AUTH_TRANSACTION' && { payment_id, payment_status } };
    },
    differing: ({ facts }, { payment_id, amount }) => ({
      capture_amount_differs: amount.toString() !== facts['amount_there'] && {
        ...{ payment_id, amount_here: amount.toString() },
      },
    }),
  });
}

async function isMissing(provider: PaymentProvider, { object, facts }: Finding): Promise<'still' | null> {
  const answer = await provider.paymentStatus(paymentReference(Number(facts['payment_id'])));
  if (answer.kind === 'unknown') throw new Unanswered(`${provider.name} gives no answer`);
  const status = answer.kind === 'yes' ? answer.value : null;
  const there = status?.status === 'captured' ? [status, ...(status.others ?? [])] : [];
  return there.some(({ provider_reference }) => provider_reference === object) ? null : 'still';
}

/** The payment of an entry. The reference of a debit ends with its attempt. */
function idOf({ facts: { reference } }: About): number | null {
  return paymentOfReference(String(reference).replace(/A\d+$/, ''));
}
