import type { Tx } from '@fundrail/messaging';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import type { ProviderName } from '../payment/payment.entity.ts';
import { contradicted } from '../payment/payment.ts';
import { attemptSaid } from './attempt-said.ts';
import { ChangeDebit } from './change-debit.ts';
import { noticeTold } from './notice.ts';
import type { DebitFact } from './notice.ts';

/** Applies a callback's word about a debit, in the transaction of the callback. */
@Injectable()
export class TakeDebitFact {
  constructor(
    private readonly change: ChangeDebit,
    private readonly config: PaymentsConfig,
  ) {}

  async within(tx: Tx, key: PaymentKey, provider: ProviderName, fact: DebitFact): Promise<void> {
    const { debits } = this.config;
    await this.change.within(tx, key, async (payment, debit) => {
      if (payment.provider_name !== provider)
        return { outcome: contradicted(payment, 'told_by_another_provider'), debit };
      if (fact.about === 'notice') return noticeTold(payment, debit, fact, debits, tx.now);
      const said = { reference: fact.attempt_reference, said: fact.payment };
      return attemptSaid(payment, debit, said, await orderStates(tx, payment), debits, tx.now);
    });
  }
}
