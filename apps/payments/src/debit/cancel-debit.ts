import { Injectable } from '@nestjs/common';
import type { PaymentKey } from '../payment/change-payment.ts';
import { endPayment } from '../payment/payment.ts';
import { AskDebit } from './ask-debit.ts';
import { ChangeDebit } from './change-debit.ts';
import { ended, openAttempt, unmoved } from './debit.ts';

/** Ends a PENDING debit at the client's wish. An attempt whose outcome is not known is asked about first: what it took counts. */
@Injectable()
export class CancelDebit {
  constructor(
    private readonly change: ChangeDebit,
    private readonly ask: AskDebit,
  ) {}

  /** `ended`: it is over or past PENDING; `silent`: the provider did not say, and the debit stays as it is. */
  async execute(key: PaymentKey): Promise<'ended' | 'silent'> {
    const found = await this.ask.find(key.tenant, key.id);
    const open = found && openAttempt(found.debit);
    if (found && open) await this.ask.ask(found, open);
    const after = await this.change.execute(key, (payment, debit, { now }) =>
      payment.status === 'PENDING' && !openAttempt(debit)
        ? ended(payment, debit, endPayment(payment, 'cancel', now), now)
        : unmoved(payment, debit),
    );
    return after?.payment.status === 'PENDING' ? 'silent' : 'ended';
  }
}
