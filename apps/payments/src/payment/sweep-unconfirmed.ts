import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { AskToGiveUp } from './ask-to-give-up.ts';
import { ChangePayment } from './change-payment.ts';
import { observeOrders, orderStates } from './order-state.repository.ts';
import { unconfirmedShares } from './orders-of-payment.ts';
import { findPayment } from './payment.repository.ts';
import { sharesLeft } from './refund.ts';
import { sweepUnconfirmed } from './transfer.ts';

/**
 * `payment.sweep`: at the end of the day, gives back the money of orders that were paid but not confirmed (REF-11). Orders is asked
 * about the orders that seem unconfirmed, and only those that it gives up are refunded. Without an answer the payment stays in
 * SUCCESS, and orders is asked again on the schedule of GATE-3.
 */
@Injectable()
@HandlesDue('payment.sweep')
export class SweepUnconfirmed {
  constructor(
    private readonly database: Database,
    private readonly ask: AskToGiveUp,
    private readonly change: ChangePayment,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, tenant, Number(key));
    if (payment?.status !== 'SUCCESS') return 'done';
    const states = await orderStates(this.database, payment);
    const answered = await this.ask.execute(payment, unconfirmedShares(sharesLeft(payment), states));
    if (!answered) return 'later';
    await this.database.transaction(async (tx) => {
      await observeOrders(tx, answered.facts);
      await this.change.within(tx, payment, (row) => sweepUnconfirmed(row, answered.givenUp, tx.now));
    });
    await passFaultPoint('payments.swept');
    return answered.isWhole ? 'done' : 'later';
  }
}
