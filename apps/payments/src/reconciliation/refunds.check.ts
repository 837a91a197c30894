import { Decimal, RECONCILIATION_PAGE } from '@fundrail/contracts';
import type { BookedRefund, PaymentProvider } from '@fundrail/providers';
import type { Database } from '@fundrail/service-kit/db';
import { BookCheck, byKey, Unanswered } from '@fundrail/service-kit/reconciliation';
import type { CheckPage, Finding, Listed, ListQuery, Window } from '@fundrail/service-kit/reconciliation';
import { paymentReference } from '../payment/references.ts';
import type { AskAgain } from './ask-again.ts';
import { refundsNamed, unseenRefunds, type NamedRefund } from './standing.repository.ts';

/** Our statuses that agree with a provider's status. A waiting refund agrees with all but FAILED. */
const SAME: Readonly<Record<BookedRefund['status'], ReadonlySet<NamedRefund['status']>>> = {
  waiting: new Set(['CREATED', 'SUCCESSFUL']),
  successful: new Set(['SUCCESSFUL']),
  failed: new Set(['FAILED']),
};

/** Compares the refunds in a provider's own list with ours. */
export class RefundsCheck extends BookCheck<BookedRefund> {
  readonly name: string;

  constructor(
    db: Database,
    private readonly provider: PaymentProvider,
    private readonly ask: AskAgain,
  ) {
    super(db);
    this.name = `refunds at ${provider.name}`;
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const theirs = findings.filter(({ kind }) => kind !== 'refund_not_at_provider');
    const still = [...(await this.compare(theirs.map(bookedIn)))];
    for (const finding of findings) {
      if (finding.kind !== 'refund_not_at_provider') continue;
      const answer = await this.provider.refundStatus({
        reference: finding.object,
        payment_reference: paymentReference(Number(finding.facts['payment_id'])),
        amount: Decimal.parse(String(finding.facts['amount_here'])),
      });
      if (answer.kind === 'unknown') throw new Unanswered(`${this.provider.name} gives no answer`);
      if (answer.kind !== 'yes') still.push(finding);
    }
    return still;
  }

  override async repair({ kind, object, tenant, facts }: Finding): Promise<boolean> {
    const isOpen = kind === 'refund_differs_at_provider' && facts['status_here'] === 'CREATED';
    return isOpen && tenant !== null ? this.ask.aboutRefund(tenant, object) : false;
  }

  protected async list(query: ListQuery): Promise<Listed<BookedRefund>> {
    const answer = await this.provider.books?.refunds(query);
    if (!answer) return { entries: [], next: null };
    if (answer.kind !== 'yes') throw new Unanswered(`${this.provider.name} gives no list: ${answer.kind}`);
    return answer.value;
  }

  protected keyOf({ reference, provider_reference }: BookedRefund): string {
    return reference ?? provider_reference;
  }

  protected async compare(entries: readonly BookedRefund[]): Promise<readonly Finding[]> {
    const named = entries.flatMap(({ reference }) => reference ?? []);
    const refunds = byKey(await refundsNamed(this.db, named), ({ reference }) => reference);
    return entries.flatMap((entry): Finding[] => {
      const refund = entry.reference === null ? undefined : refunds.get(entry.reference);
      const object = this.keyOf(entry);
      const there = { status_there: entry.status, amount_there: entry.amount.toString() };
      const facts = { ...there, provider: this.provider.name, reference: entry.reference };
      if (!refund) return [{ kind: 'refund_unknown_here', object, tenant: null, facts }];
      const isSame = SAME[entry.status].has(refund.status) && refund.amount.compare(entry.amount) === 0;
      if (isSame) return [];
      const here = { status_here: refund.status, amount_here: refund.amount.toString() };
      const more = { ...facts, ...here, payment_id: refund.payment_id };
      return [{ kind: 'refund_differs_at_provider', object, tenant: refund.tenant, facts: more }];
    });
  }

  protected async unseen(after: string, { from, to }: Window): Promise<CheckPage> {
    const { name: provider, books } = this.provider;
    if (!books) return { found: [], next: null, looked: 0 };
    const rows = await unseenRefunds(this.db, { provider, check: this.name, after, from, to });
    const last = rows.at(-1);
    return {
      found: rows.map(({ reference: object, tenant, payment_id, amount }) => ({
        ...{ kind: 'refund_not_at_provider', object, tenant },
        facts: { payment_id, amount_here: amount.toString(), provider },
      })),
      next: last && rows.length === RECONCILIATION_PAGE ? last.reference : null,
      looked: rows.length,
    };
  }
}

function bookedIn({ object, facts }: Finding): BookedRefund {
  const { reference, status_there: status } = facts;
  return {
    reference: typeof reference === 'string' ? reference : null,
    provider_reference: object,
    amount: Decimal.parse(String(facts['amount_there'])),
    status: status === 'successful' || status === 'failed' ? status : 'waiting',
  };
}
