import type { PaymentFailureCode } from '@fundrail/contracts';
import type { Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { storedAnswer } from '../trace/provider-answer.ts';
import type { StoredAnswer } from '../trace/provider-answer.ts';
import type { CallName } from '../trace/provider-call.repository.ts';
import { ProviderCalls } from '../trace/provider-calls.ts';
import { ChangePayment } from './change-payment.ts';
import type { PaymentKey } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import { ordersChanged, sharesReady } from './orders-of-payment.ts';
import type { OrderStates } from './orders-of-payment.ts';
import { expiryOf, firstStatusCall, note, providerFailed, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { paymentReference } from './references.ts';

type Decide = (row: Payment, now: Date) => Outcome;
/** How an answer is read: a decision, or why the answer is not usable. */
export type Reading = { readonly decide: Decide } | { readonly why: string };
/** The reading, and what is recorded of the answer. */
interface ReadAnswer {
  readonly reading: Reading;
  readonly kept: StoredAnswer;
}

/** The common part of URI and collect request: records the intent before the call and the outcome after it. */
@Injectable()
export class UpiRequest {
  constructor(
    private readonly change: ChangePayment,
    private readonly calls: ProviderCalls,
    private readonly log: Log,
  ) {}

  /** Records the intent and returns the payment; null when the request must not be sent. Idempotent. */
  async intend(key: PaymentKey): Promise<Payment | null> {
    const payment = await this.change.execute(key, async (row, tx) =>
      intended(row, await orderStates(tx, row), tx.now),
    );
    return payment?.uri_requested_at && payment.status === 'PENDING' ? payment : null;
  }

  /** Applies the provider's answer; after an unusable answer the call is repeated later. */
  async conclude(payment: Payment, call: CallName, { reading, kept }: ReadAnswer): Promise<DueResult> {
    const { tenant, id: payment_id } = payment;
    await this.calls.keep({ payment, reference: paymentReference(payment_id) }, call, kept);
    if ('why' in reading) {
      this.log.warn('the provider did not send the request to the investor', {
        tenant,
        payment_id,
        why: reading.why,
      });
      return 'later';
    }
    await this.change.execute(payment, (row, tx) => reading.decide(row, tx.now));
    return 'done';
  }
}

/** Reads an answer; `accept` checks the value of a `yes`. */
export function readAnswer<T>(
  answer: Answer<T, PaymentFailureCode>,
  accept: (value: T) => Reading,
): ReadAnswer {
  const reading = readingOf(answer, accept);
  const isMisfit = answer.kind === 'yes' && 'why' in reading;
  return { reading, kept: storedAnswer(isMisfit ? notUnderstood(reading.why) : answer) };
}

function notUnderstood(detail: string): Answer<never> {
  return { kind: 'unknown', why: 'not_understood', detail };
}

function readingOf<T>(answer: Answer<T, PaymentFailureCode>, accept: (value: T) => Reading): Reading {
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
