import { Decimal } from '@fundrail/contracts';
import type { BookedTransfer } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { BookCheck, byKey, Unanswered } from '@fundrail/service-kit/reconciliation';
import type { CheckPage, Finding, Listed, ListQuery } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { paymentOfReference } from '../payment/references.ts';
import { AskAgain } from './ask-again.ts';
import { transfersOf, type TransferOf } from './standing.repository.ts';

/** Payment statuses that agree with a transfer's status. A waiting transfer may have already ended here by a callback. */
const SAME: Readonly<Record<BookedTransfer['status'], ReadonlySet<TransferOf['status']>>> = {
  waiting: new Set(['INITIATED', 'APPROVED', 'REJECTED']),
  settled: new Set(['APPROVED']),
  rejected: new Set(['REJECTED']),
};

/** Compares the transfers in the order gateway's own list with ours. A transfer that is missing there is sent again by our worker. */
@Injectable()
export class TransfersCheck extends BookCheck<BookedTransfer> {
  readonly name = 'transfers';

  constructor(
    db: Database,
    private readonly providers: PaymentProviders,
    private readonly ask: AskAgain,
  ) {
    super(db);
  }

  again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return this.compare(findings.map(bookedIn));
  }

  override async repair({ facts }: Finding): Promise<boolean> {
    const id = facts['payment_id'];
    return typeof id === 'number' ? this.ask.aboutTransfer(id) : false;
  }

  protected async list(query: ListQuery): Promise<Listed<BookedTransfer>> {
    const answer = await this.providers.transfers.listTransfers?.(query);
    if (!answer) return { entries: [], next: null };
    if (answer.kind !== 'yes') throw new Unanswered(`the gateway gives no list: ${answer.kind}`);
    return answer.value;
  }

  protected keyOf({ reference }: BookedTransfer): string {
    return reference;
  }

  protected async compare(entries: readonly BookedTransfer[]): Promise<readonly Finding[]> {
    const ids = entries.flatMap(({ reference }) => paymentOfReference(reference) ?? []);
    const payments = byKey(await transfersOf(this.db, ids), ({ id }) => id);
    return entries.flatMap((entry): Finding[] => {
      const { reference: object, payment_reference, amount, status } = entry;
      const payment = payments.get(paymentOfReference(object) ?? 0);
      const there = { status_there: status, amount_there: amount.toString(), payment_reference };
      const facts = { ...there, payment_id: payment?.id ?? null, payment_status: payment?.status ?? null };
      const about = { object, tenant: payment?.tenant ?? null, facts };
      if (payment?.transfer_reference !== object) return [{ ...about, kind: 'transfer_unknown_here' }];
      return SAME[status].has(payment.status) ? [] : [{ ...about, kind: 'transfer_differs_at_gateway' }];
    });
  }

  protected unseen(): Promise<CheckPage> {
    return Promise.resolve({ found: [], next: null, looked: 0 });
  }
}

function bookedIn({ object, facts }: Finding): BookedTransfer {
  const status = facts['status_there'];
  return {
    reference: object,
    payment_reference: String(facts['payment_reference']),
    amount: Decimal.parse(String(facts['amount_there'])),
    status: status === 'settled' || status === 'rejected' ? status : 'waiting',
  };
}
