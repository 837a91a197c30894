import type { PaymentFailureCode } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls } from '@fundrail/service-kit/calls';
import type { CallName } from '@fundrail/service-kit/calls';
import type { DueWork, OutsideAnswer, OutsideCall } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import type { PaymentsConfig } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { ChangePayment } from '../../payment/change-payment.ts';
import { orderStates } from '../../payment/order-state.repository.ts';
import { ordersChanged, sharesReady, type OrderStates } from '../../payment/orders-of-payment.ts';
import { firstStatusCall, note, unchanged } from '../../payment/payment.ts';
import type { Outcome, Payment } from '../../payment/payment.ts';
import { collectSent, expiryOf, providerFailed } from '../collection.ts';

export type Decide = (row: Payment, now: Date) => Outcome;
/** The call that sends a payment to the investor's UPI app. Its outcome is a decision about the locked payment. */
export type UpiCall = OutsideCall<Payment, Decide>;

/** The common part of URI and collect request: the intent before the call, the outcome after it. */
@Injectable()
export class UpiRequest {
  constructor(
    private readonly change: ChangePayment,
    private readonly calls: RecordedCalls,
    private readonly log: Log,
  ) {}

  /** The call with these parts of its own. */
  callOf(parts: Pick<UpiCall, 'load' | 'send'>): UpiCall {
    return {
      ...parts,
      apply: async (payment, decide) => {
        await this.change.execute(payment, (row, tx) => decide(row, tx.now));
        await passFaultPoint('payments.upi_request_applied');
        return 'done';
      },
      silence: {
        log: this.log,
        what: 'the request to the investor',
        about: ({ tenant, id: payment_id }) => ({ tenant, payment_id }),
      },
    };
  }

  /** Records the intent and returns the payment; null when the request must not be sent, or has its outcome. Idempotent. */
  async intend({ tenant, key }: DueWork, isUnsent: (payment: Payment) => boolean): Promise<Payment | null> {
    const payment = await this.change.execute({ tenant, id: Number(key) }, async (row, tx) =>
      intended(row, await orderStates(tx, row), tx.now),
    );
    return payment?.uri_requested_at && payment.status === 'PENDING' && isUnsent(payment) ? payment : null;
  }

  /** Records the answer for operators, and reads it. A refusal ends the payment. */
  async read(
    payment: Payment,
    call: CallName,
    answer: Answer<Decide, PaymentFailureCode>,
  ): Promise<OutsideAnswer<Decide>> {
    await this.calls.record({ payment, reference: paymentReference(payment.id) }, call, answer);
    if (answer.kind !== 'no') return answer;
    return { kind: 'yes', value: (row, now) => providerFailed(row, answer.failure_code, now) };
  }
}

/** The decision in the answer to a collect request. */
export function collectAnswered(
  answer: Answer<null, PaymentFailureCode>,
  times: PaymentsConfig['times'],
): Answer<Decide, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const value: Decide = (row, now) => unlessEnded(row, now, () => collectSent(row, now, times));
  return { kind: 'yes', value };
}

/** If the payment ended during the call, schedules a status call: the provider knows the payment now, and must close it. */
export function unlessEnded(row: Payment, now: Date, decide: Decide): Outcome {
  return row.status === 'FAILED' ? { ...unchanged(row), due: [firstStatusCall(row, now)] } : decide(row, now);
}

/** Checks under the lock that the payment is PENDING, in time, and all orders are submitted. An order that has ended ends the payment. */
function intended(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (payment.status !== 'PENDING' || payment.uri_requested_at || now >= expiryOf(payment))
    return unchanged(payment);
  if (!sharesReady(payment.orders, states)) return ordersChanged(payment, states, now);
  return note(payment, 'request_uri', { uri_requested_at: now });
}
