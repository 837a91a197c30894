import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import type { PaymentKey } from '../payment/change-payment.ts';
import { endPayment, type Ending } from '../payment/payment.ts';
import { AskProvider } from './ask-provider.ts';
import { ChangeCollection } from './change-collection.ts';
import { beginEnding, decided, still, type Decide } from './collection.ts';

/** Expires or cancels a PENDING payment. The provider is asked first: a payment that was paid there counts (PAY-22, TIME-7). */
@Injectable()
export class EndPayment {
  constructor(
    private readonly change: ChangeCollection,
    private readonly ask: AskProvider,
  ) {}

  /** `ended`: the payment is no longer PENDING. `silent`: the provider gave no answer, and the payment is unchanged. */
  async execute(key: PaymentKey, ending: Ending): Promise<'ended' | 'silent'> {
    const begun = await this.change.execute(key, (row, tx) => beginEnding(row, ending, tx.now));
    if (begun?.status !== 'PENDING') return 'ended';
    await passFaultPoint('payments.ending_begun');
    const end: Decide = (row, now) =>
      row.status === 'PENDING' ? decided(row, endPayment(row, ending, now)) : still(row);
    const asked = await this.ask.close(begun, end);
    // A payment that the provider does not know cannot have been paid. A call of ours that is still under way will find it ended.
    if (asked === 'not_found') await this.change.execute(key, (row, tx) => end(row, tx.now));
    await passFaultPoint('payments.ended');
    // The provider's status may contradict what is known here. Then it does not count, and the provider is asked again.
    const after = await this.change.execute(key, still);
    return asked === 'silent' || after?.status === 'PENDING' ? 'silent' : 'ended';
  }
}
