import { Decimal, RECONCILIATION_PAGE } from '@fundrail/contracts';
import type { BookedCapture, PaymentProvider } from '@fundrail/providers';
import type { Database } from '@fundrail/service-kit/db';
import { BookCheck, byKey, Unanswered } from '@fundrail/service-kit/reconciliation';
import type { CheckPage, Finding, Listed, ListQuery, Window } from '@fundrail/service-kit/reconciliation';
import { paymentOfReference, paymentReference } from '../payment/references.ts';
import type { AskAgain } from './ask-again.ts';
import { capturesNamed, paymentsNamed, unseenCaptures } from './standing.repository.ts';

/** The fields of a capture that are compared. */
type Booked = Pick<BookedCapture, 'reference' | 'provider_reference' | 'amount'>;

/** Compares the captures in a provider's own list with ours. */
export class CapturesCheck extends BookCheck<BookedCapture> {
  readonly name: string;

  constructor(
    db: Database,
    private readonly provider: PaymentProvider,
    private readonly ask: AskAgain,
  ) {
    super(db);
    this.name = `captures at ${provider.name}`;
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const [ours, theirs] = [findings.filter(isOurs), findings.filter((finding) => !isOurs(finding))];
    const still = await this.compareAll(theirs.map(bookedIn));
    return [...still, ...(await this.notThere(ours))];
  }

  override async repair({ kind, facts }: Finding): Promise<boolean> {
    return kind === 'capture_not_booked' ? this.ask.aboutPayment(Number(facts['payment_id'])) : false;
  }

  protected async list(query: ListQuery): Promise<Listed<BookedCapture>> {
    const answer = await this.provider.books?.captures(query);
    if (!answer) return { entries: [], next: null };
    if (answer.kind !== 'yes') throw new Unanswered(`${this.provider.name} gives no list: ${answer.kind}`);
    return answer.value;
  }

  protected keyOf({ provider_reference }: BookedCapture): string {
    return provider_reference;
  }

  protected compare(entries: readonly BookedCapture[]): Promise<readonly Finding[]> {
    return this.compareAll(entries);
  }

  protected async unseen(after: string, { from, to }: Window): Promise<CheckPage> {
    const { name: provider, books } = this.provider;
    if (!books) return { found: [], next: null, looked: 0 };
    const rows = await unseenCaptures(this.db, { provider, check: this.name, after, from, to });
    const last = rows.at(-1);
    return {
      found: rows.map(({ provider_reference: object, tenant, payment_id, amount }) => ({
        ...{ kind: 'capture_not_at_provider', object, tenant },
        facts: { payment_id, amount_here: amount.toString(), provider },
      })),
      next: last && rows.length === RECONCILIATION_PAGE ? last.provider_reference : null,
      looked: rows.length,
    };
  }

  private async compareAll(entries: readonly Booked[]): Promise<readonly Finding[]> {
    const references = entries.map(({ provider_reference }) => provider_reference);
    const captures = byKey(
      await capturesNamed(this.db, this.provider.name, references),
      (row) => row.provider_reference,
    );
    const ids = entries.flatMap(({ reference }) => idOf(reference) ?? []);
    const payments = byKey(await paymentsNamed(this.db, ids), ({ id }) => id);
    return entries.flatMap((entry): Finding[] => {
      const { provider_reference: object, reference, amount } = entry;
      const id = idOf(reference);
      const payment = id === null ? undefined : payments.get(id);
      const tenant = payment?.tenant ?? null;
      const facts = { provider: this.provider.name, reference, amount_there: amount.toString() };
      const capture = captures.get(object);
      if (capture?.amount.compare(amount) === 0) return [];
      const about = { object, tenant };
      if (capture)
        return [
          {
            ...about,
            kind: 'capture_amount_differs',
            facts: { ...facts, payment_id: capture.payment_id, amount_here: capture.amount.toString() },
          },
        ];
      if (!payment) return [{ ...about, kind: 'capture_of_unknown_payment', facts }];
      // An authorisation takes no money, even if the provider lists it as a capture.
      if (payment.payment_type === 'AUTH_TRANSACTION') return [];
      const more = { payment_id: payment.id, payment_status: payment.status };
      return [{ ...about, kind: 'capture_not_booked', facts: { ...facts, ...more } }];
    });
  }

  private async notThere(findings: readonly Finding[]): Promise<readonly Finding[]> {
    const still: Finding[] = [];
    for (const finding of findings) {
      const answer = await this.provider.paymentStatus(paymentReference(Number(finding.facts['payment_id'])));
      if (answer.kind === 'unknown') throw new Unanswered(`${this.provider.name} gives no answer`);
      const status = answer.kind === 'yes' ? answer.value : null;
      const there = status?.status === 'captured' ? [status, ...(status.others ?? [])] : [];
      const isThere = there.some(({ provider_reference }) => provider_reference === finding.object);
      if (!isThere) still.push(finding);
    }
    return still;
  }
}

function isOurs({ kind }: Finding): boolean {
  return kind === 'capture_not_at_provider';
}

/** A capture does not change at the provider: the entry in the finding is compared again. */
function bookedIn({ object, facts }: Finding): Booked {
  const reference = facts['reference'];
  return {
    reference: typeof reference === 'string' ? reference : null,
    provider_reference: object,
    amount: Decimal.parse(String(facts['amount_there'])),
  };
}

/** The reference of a debit ends with its attempt. */
function idOf(reference: string | null): number | null {
  return reference === null ? null : paymentOfReference(reference.replace(/A\d+$/, ''));
}
