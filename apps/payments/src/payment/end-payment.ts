import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { AskProvider } from './ask-provider.ts';
import { ChangePayment } from './change-payment.ts';
import type { PaymentKey } from './change-payment.ts';
import { endPayment, mayBePaid, note, unchanged } from './payment.ts';
import type { Ending, Outcome, Payment } from './payment.ts';

/** Ends a PENDING payment at our own wish, having asked the provider first: paid there is paid (contract §3 "cancel", "Times"). */
@Injectable()
export class EndPayment {
  constructor(
    private readonly change: ChangePayment,
    private readonly ask: AskProvider,
  ) {}

  /** `ended`: it is over, one way or the other; `silent`: the provider did not say, and the payment stays as it is. */
  async execute(key: PaymentKey, ending: Ending): Promise<'ended' | 'silent'> {
    const payment = await this.change.execute(key, (row, tx) => begin(row, ending, tx.now));
    if (payment?.status !== 'PENDING') return 'ended';
    await passFaultPoint('payments.ending_begun');
    const end = (row: Payment, now: Date): Outcome =>
      row.status === 'PENDING' ? endPayment(row, ending, now) : unchanged(row);
    const asked = await this.ask.close(payment, end);
    // Nothing can have been paid for a payment that the provider never heard of; a call of ours still on its way finds it ended.
    if (asked === 'not_found') await this.change.execute(key, (row, tx) => end(row, tx.now));
    await passFaultPoint('payments.ended');
    // What the provider said may not be squared with what is known here; then it has said nothing, and is asked again.
    const after = await this.change.execute(key, unchanged);
    return asked === 'silent' || after?.status === 'PENDING' ? 'silent' : 'ended';
  }
}

/** Before the provider was asked for anything there is nobody to ask. */
function begin(payment: Payment, ending: Ending, now: Date): Outcome {
  if (payment.status !== 'PENDING') return unchanged(payment);
  if (!mayBePaid(payment)) return endPayment(payment, ending, now);
  return payment.ending === ending ? unchanged(payment) : note(payment, 'begin_ending', { ending });
}
