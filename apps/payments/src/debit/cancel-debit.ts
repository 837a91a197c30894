import { Injectable } from '@nestjs/common';
import type { PaymentKey } from '../payment/change-payment.ts';
import { endPayment } from '../payment/payment.ts';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebit } from './change-debit.ts';
import { ended, openAttempt, unchangedDebit } from './debit.ts';

/** Cancels a PENDING debit for the client. The status of an open attempt is queried first: money that it took counts. */
@Injectable()
export class CancelDebit {
  constructor(
    private readonly change: ChangeDebit,
    private readonly ask: AskDebit,
  ) {}

  /** `ended`: it has ended or is no longer PENDING; `silent`: the provider did not answer, and the debit does not change. */
  async execute(key: PaymentKey): Promise<'ended' | 'silent'> {
    const found = await this.ask.find(key.tenant, key.id);
    const open = found && openAttempt(found.debit);
    if (found && open) await this.ask.ask(found, open);
    const after = await this.change.execute(key, (payment, debit, { now }) =>
      payment.status === 'PENDING' && !openAttempt(debit)
        ? ended(payment, debit, endPayment(payment, 'cancel', now), now)
        : unchangedDebit(payment, debit),
    );
    return after?.payment.status === 'PENDING' ? 'silent' : 'ended';
  }
}
