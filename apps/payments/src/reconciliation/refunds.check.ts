import { Decimal } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { BookedRefund, PaymentProvider } from '@fundrail/providers';
import type { Database } from '@fundrail/service-kit/db';
import {
  BookCheck,
  compare,
  Unanswered,
  type About,
  type Finding,
  type ReconciliationCheck,
  type Sides,
} from '@fundrail/service-kit/reconciliation';
import type { AskAgain } from './ask-again.ts';
import { refundsNamed, unseenRefunds, type NamedRefund } from './standing.repository.ts';

/** Our statuses that agree with a provider's status. A waiting refund agrees with all but FAILED. */
const SAME: Readonly<Record<string, readonly NamedRefund['status'][]>> = {
  waiting: ['CREATED', 'SUCCESSFUL'],
  successful: ['SUCCESSFUL'],
  failed: ['FAILED'],
};

/** Compares the refunds in a provider's own list with ours. */
export function refundsCheck(db: Database, provider: PaymentProvider, ask: AskAgain): ReconciliationCheck {
  const name = `refunds at ${provider.name}`;
  return new BookCheck<BookedRefund>({
    name,
    list: (query) => provider.books?.refunds(query),
    noList: `${provider.name} gives no list`,
    entryOf: ({ reference, provider_reference, status, amount }) => ({
      ...{ object: reference ?? provider_reference, tenant: null },
      facts: { provider: provider.name, reference, status_there: status, amount_there: amount.toString() },
    }),
    compare: async (entries) => {
      const named = entries.flatMap(({ facts }) => facts['reference'] ?? []);
      return compare(entries, await refundsNamed(db, named.map(String)), SIDES);
    },
    now: async (finding) =>
      finding.kind === 'refund_not_at_provider' ? isMissing(provider, finding) : finding,
    missingThere: {
      ...{ db, kind: 'refund_not_at_provider' },
      unseen: (after, window) =>
        unseenRefunds(db, { provider: provider.name, check: name, after, ...window }),
    },
    repair: async ({ kind, object, tenant, facts }) => {
      const isOpen = kind === 'refund_differs_at_provider' && facts['status_here'] === 'CREATED';
      return isOpen && tenant !== null && ask.aboutRefund(tenant, object);
    },
  });
}

const SIDES: Sides<About, NamedRefund> = {
  keyOf: ({ object }) => object,
  otherKeyOf: ({ reference }) => reference,
  about: (entry, refund) => ({ ...entry, tenant: refund?.tenant ?? null }),
  missing: () => ({ refund_unknown_here: {} }),
  differing: ({ facts }, { payment_id, status, amount }) => {
    const here = { payment_id, status_here: status, amount_here: amount.toString() };
    const isSame = SAME[String(facts['status_there'])]?.includes(status);
    return { refund_differs_at_provider: !(isSame && here.amount_here === facts['amount_there']) && here };
  },
};

async function isMissing(provider: PaymentProvider, { object, facts }: Finding): Promise<'still' | null> {
  const answer = await provider.refundStatus({
    reference: object,
    payment_reference: paymentReference(Number(facts['payment_id'])),
    amount: Decimal.parse(String(facts['amount_here'])),
  });
  if (answer.kind === 'unknown') throw new Unanswered(`${provider.name} gives no answer`);
  return answer.kind === 'yes' ? null : 'still';
}
