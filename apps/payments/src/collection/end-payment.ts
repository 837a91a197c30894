import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { ChangePayment, type PaymentKey } from '../payment/change-payment.ts';
import { endPayment, mayBePaid, note, unchanged } from '../payment/payment.ts';
import type { Ending, Outcome, Payment } from '../payment/payment.ts';
import { AskProvider } from './ask-provider.ts';

/** Expires or cancels a PENDING payment. The provider is asked first: a payment that was paid there counts (PAY-22, TIME-7). */
@Injectable()
export class EndPayment {
  constructor(
    private readonly change: ChangePayment,
    private readonly ask: AskProvider,
  ) {}

  /** `ended`: the payment is no longer PENDING. `silent`: the provider gave no answer, and the payment is unchanged. */
  async execute(key: PaymentKey, ending: Ending): Promise<'ended' | 'silent'> {
    const payment = await this.change.execute(key, (row, tx) => begin(row, ending, tx.now));
    if (payment?.status !== 'PENDING') return 'ended';
    await passFaultPoint('payments.ending_begun');
    const end = (row: Payment, now: Date): Outcome =>
      row.status === 'PENDING' ? endPayment(row, ending, now) : unchanged(row);
    const asked = await this.ask.close(payment, end);
    // A payment that the provider does not know cannot have been paid. A call of ours that is still under way will find it ended.
    if (asked === 'not_found') await this.change.execute(key, (row, tx) => end(row, tx.now));
    await passFaultPoint('payments.ended');
    // The provider's status may contradict what is known here. Then it does not count, and the provider is asked again.
    const after = await this.change.execute(key, unchanged);
    return asked === 'silent' || after?.status === 'PENDING' ? 'silent' : 'ended';
  }
}

/** Records the intent to end it; ends it immediately when the provider does not know of the payment yet. */
function begin(payment: Payment, ending: Ending, now: Date): Outcome {
  if (payment.status !== 'PENDING') return unchanged(payment);
  if (!mayBePaid(payment)) return endPayment(payment, ending, now);
  return payment.ending === ending ? unchanged(payment) : note(payment, 'begin_ending', { ending });
}
