import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { orderStates } from '../payment/order-state.repository.ts';
import { isUnconfirmed } from '../payment/orders-of-payment.ts';
import type { OrderStates } from '../payment/orders-of-payment.ts';
import { endPayment } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { ChangeDebit } from './change-debit.ts';
import { ended, unmoved } from './debit.ts';
import type { Debit, DebitOutcome } from './debit.ts';

/**
 * `debit.unconfirmed`: the client never confirmed the order. The debit lets go of it, and `order_expiry`, which waits for a live
 * claim, can strike (decision 0014).
 */
@Injectable()
@HandlesDue('debit.unconfirmed')
export class ExpireUnconfirmed implements DueHandler {
  readonly kind = 'debit.unconfirmed';

  constructor(private readonly change: ChangeDebit) {}

  async handle({ tenant, key }: DueWork): Promise<DueResult> {
    await this.change.execute({ tenant, id: Number(key) }, async (payment, debit, tx) =>
      expireUnconfirmed(payment, debit, await orderStates(tx, payment), tx.now),
    );
    return 'done';
  }
}

/** A debit that has begun has had its order's confirmation. */
export function expireUnconfirmed(
  payment: Payment,
  debit: Debit,
  states: OrderStates,
  now: Date,
): DebitOutcome {
  const isBegun = debit.notice_begun_at !== null || debit.planned_at !== null;
  if (payment.status !== 'PENDING' || isBegun || !isUnconfirmed(payment.orders, states))
    return unmoved(payment, debit);
  return ended(payment, debit, endPayment(payment, 'expire', now), now);
}
