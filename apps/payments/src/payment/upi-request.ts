import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from './change-payment.ts';
import type { PaymentKey } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import { ordersChanged, sharesReady } from './orders-of-payment.ts';
import type { OrderStates } from './orders-of-payment.ts';
import { expiryOf, firstQuestion, note, providerFailed, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';

type Decide = (row: Payment, now: Date) => Outcome;
/** What an answer comes to: a decision, or why it does not count. */
export type Reading = { readonly decide: Decide } | { readonly why: string };

/** What asking the investor by a URI and by a collect request have in common: the intent before the call, the outcome after it. */
@Injectable()
export class UpiRequest {
  constructor(
    private readonly change: ChangePayment,
    private readonly log: Log,
  ) {}

  /** Null unless the investor is to be asked now, and for ever the same payment. */
  async intend(key: PaymentKey): Promise<Payment | null> {
    const payment = await this.change.execute(key, async (row, tx) =>
      intended(row, await orderStates(tx, row), tx.now),
    );
    return payment?.uri_requested_at && payment.status === 'PENDING' ? payment : null;
  }

  /** Applies what the provider answered; an answer that does not count is asked for again. */
  async conclude(payment: Payment, reading: Reading): Promise<DueResult> {
    if ('why' in reading) {
      const { tenant, id: payment_id } = payment;
      this.log.warn('the provider did not ask the investor', { tenant, payment_id, why: reading.why });
      return 'later';
    }
    await this.change.execute(payment, (row, tx) => reading.decide(row, tx.now));
    return 'done';
  }
}

/** Reads an answer whose `yes` is judged by `accept`. */
export function readAnswer<T>(answer: Answer<T, PaymentFailureCode>, accept: (value: T) => Reading): Reading {
  switch (answer.kind) {
    case 'yes':
      return accept(answer.value);
    case 'no':
      return { decide: (row, now) => providerFailed(row, answer.failure_code, now) };
    case 'not_found':
      return { why: 'not_found' };
    case 'unknown':
      return { why: `${answer.why}: ${answer.detail}` };
    default:
      return answer satisfies never;
  }
}

/** A payment that ended while the call was under way is closed at the provider, now that it knows of it. */
export function unlessEnded(row: Payment, now: Date, decide: Decide): Outcome {
  return row.status === 'FAILED' ? { ...unchanged(row), due: [firstQuestion(row, now)] } : decide(row, now);
}

/** Decided under the lock: still PENDING, still in time, still all submitted. An order that has ended meanwhile ends the payment. */
function intended(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (payment.status !== 'PENDING' || payment.uri_requested_at || now >= expiryOf(payment))
    return unchanged(payment);
  if (!sharesReady(payment.orders, states)) return ordersChanged(payment, states, now);
  return note(payment, 'request_uri', { uri_requested_at: now });
}
