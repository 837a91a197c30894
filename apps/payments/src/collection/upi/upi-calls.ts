import type { PaymentFailureCode } from '@fundrail/contracts';
import { paymentReference, type Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls, type CallName } from '@fundrail/service-kit/calls';
import type { DueWork, OutsideAnswer, OutsideCall } from '@fundrail/service-kit/due';
import { apply, upiRequestMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import type { PaymentTimes } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { orderStates } from '../../payment/order-state.repository.ts';
import { sharesReady, type OrderStates } from '../../payment/orders-of-payment.ts';
import { note } from '../../payment/payment.ts';
import { ChangeCollection } from '../change-collection.ts';
import { collectSent, decided, firstStatusCall, providerFailed, still, upiOf } from '../collection.ts';
import type { Collection, CollectionOutcome, Decide } from '../collection.ts';
import { ordersChanged } from '../orders-changed.ts';

/** The call that sends a payment to the investor's UPI app. Its outcome is a decision about the locked payment. */
export type UpiCall = OutsideCall<Collection, Decide>;

/** What all UPI requests share: the intent before the call, the outcome after it. */
@Injectable()
export class UpiCalls {
  constructor(
    private readonly change: ChangeCollection,
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
  async intend({ tenant, key }: DueWork): Promise<Collection | null> {
    const after = await this.change.execute({ tenant, id: Number(key) }, async (row, tx) =>
      intended(row, await orderStates(tx, row), tx.now),
    );
    const upi = after && upiOf(after);
    const isWanted = upi && upi.state !== 'waiting' && upi.sent_at === null;
    return isWanted && after.status === 'PENDING' ? after : null;
  }

  /** Records the answer for operators, and reads it. A refusal ends the payment. */
  async read(
    payment: Collection,
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
  times: PaymentTimes,
): Answer<Decide, PaymentFailureCode> {
  if (answer.kind !== 'yes') return answer;
  const value: Decide = (row, now) => unlessEnded(row, now, () => collectSent(row, now, times));
  return { kind: 'yes', value };
}

/** If the payment ended during the call, schedules a status call: the provider knows the payment now, and must close it. */
export function unlessEnded(row: Collection, now: Date, decide: Decide): CollectionOutcome {
  if (row.status !== 'FAILED') return decide(row, now);
  return { ...still(row), due: [firstStatusCall(row, now)] };
}

/** Checks under the lock that the payment is PENDING, in time, and all orders are submitted. An order that has ended ends the payment. */
function intended(payment: Collection, states: OrderStates, now: Date): CollectionOutcome {
  const upi = upiOf(payment);
  if (payment.status !== 'PENDING' || upi?.state !== 'waiting' || now >= upi.expires_at)
    return still(payment);
  if (!sharesReady(payment.orders, states)) return ordersChanged(payment, states, now);
  const state = apply(upiRequestMachine, upi.state, 'request');
  return decided({ ...payment, request: { ...upi, state } }, note(payment, 'request_uri'));
}
