import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { AskToGiveUp, type GiveUpAnswered } from '../payment/ask-to-give-up.ts';
import { ChangePayment } from '../payment/change-payment.ts';
import { observeOrders, orderStates } from '../payment/order-state.repository.ts';
import { unconfirmedShares, type OrderStates } from '../payment/orders-of-payment.ts';
import { findPayment } from '../payment/payment.repository.ts';
import { endPayment, unchanged, type Outcome, type Payment } from '../payment/payment.ts';
import { debitsOrderChanged } from './debit.ts';

/**
 * `debit.unconfirmed`: the client did not confirm the order. The debit ends and releases its claim, for which `order_expiry` waits
 * (decision 0014). Orders is asked first, and without its answer the debit keeps waiting (decision 0029).
 */
@Injectable()
@HandlesDue('debit.unconfirmed')
export class ExpireUnconfirmed {
  constructor(
    private readonly database: Database,
    private readonly ask: AskToGiveUp,
    private readonly change: ChangePayment,
  ) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, tenant, Number(key));
    if (payment?.status !== 'PENDING') return 'done';
    const shares = unconfirmedShares(payment.orders, await orderStates(this.database, payment));
    if (shares.length === 0) return 'done';
    const answered = await this.ask.execute(payment, shares);
    if (!answered) return 'later';
    await this.record(payment, answered);
    await passFaultPoint('payments.debit_unconfirmed');
    return answered.isWhole ? 'done' : 'later';
  }

  private record(payment: Payment, { facts, givenUp }: GiveUpAnswered): Promise<unknown> {
    return this.database.transaction(async (tx) => {
      await observeOrders(tx, facts);
      await this.change.within(tx, payment, (row, { now }, states) =>
        expireUnconfirmed(row, { givenUp, states }, now),
      );
    });
  }
}

/** What is known of a debit's orders: the ones that orders gave up when asked, and the states of all. */
interface OrdersKnown {
  readonly givenUp: ReadonlySet<number>;
  readonly states: OrderStates;
}

/** The debit goes on when orders reports that the order is confirmed. Mandates, which has not started it, ends it with the payment. */
function expireUnconfirmed(payment: Payment, { givenUp, states }: OrdersKnown, now: Date): Outcome {
  if (payment.status !== 'PENDING') return unchanged(payment);
  if (!payment.orders.some(({ old_id }) => givenUp.has(old_id)))
    return debitsOrderChanged(payment, states, now);
  return endPayment(payment, 'expire', now);
}
