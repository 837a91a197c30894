import type { ProviderName } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { contradicted } from '../payment/payment.ts';
import { applyAttemptReport } from './attempt-report.ts';
import { ChangeDebit } from './change-debit.ts';
import { noticeReported, type DebitFact } from './notice.ts';

/** Applies a callback about a debit, in the transaction of the callback. */
@Injectable()
export class TakeDebitFact {
  constructor(
    private readonly change: ChangeDebit,
    private readonly config: PaymentsConfig,
  ) {}

  async within(tx: Tx, key: PaymentKey, provider: ProviderName, fact: DebitFact): Promise<void> {
    const timing = { rules: this.config.debits, now: tx.now };
    await this.change.within(tx, key, async (payment, debit) => {
      if (payment.provider_name !== provider)
        return { outcome: contradicted(payment, 'told_by_another_provider'), debit };
      if (fact.about === 'notice') return noticeReported(payment, debit, fact, timing);
      const report = { reference: fact.attempt_reference, status: fact.payment };
      const states = await orderStates(tx, payment);
      return applyAttemptReport(payment, debit, report, { states, ...timing });
    });
  }
}
