import type { ApiError, PaymentFailureCode, TenantFacts } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { paymentReference, type Answer } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { RecordedCalls, type CallName } from '@fundrail/service-kit/calls';
import type { DueWork, OutsideAnswer, OutsideCall } from '@fundrail/service-kit/due';
import { apply, upiRequestMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig, type PaymentTimes } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import { sharesReady, type OrderStates } from '../../payment/orders-of-payment.ts';
import { note } from '../../payment/payment.ts';
import { ChangeCollection } from '../change-collection.ts';
import { collectSent, decided, firstStatusCall, providerFailed, still, upiOf } from '../collection.ts';
import type { Collection, CollectionOutcome, Decide } from '../collection.ts';
import { ordersChanged } from '../orders-changed.ts';
import { collectRefusal, upiLimitRefusal } from './upi-policies.ts';

/** The call that sends a payment to the investor's UPI app. Its outcome is a decision about the locked payment. */
export type UpiCall = OutsideCall<Collection, Decide>;

/** What all UPI requests share: the intent before the call, the outcome after it. */
@Injectable()
export class UpiCalls {
  constructor(
    private readonly change: ChangeCollection,
    private readonly calls: RecordedCalls,
    private readonly log: Log,
    private readonly facts: InvestorFacts,
    private readonly config: PaymentsConfig,
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

  /**
   * Records the intent and returns the payment; null when the request must not be sent, or has its outcome. Idempotent. A policy that
   * refuses the request ends the payment (POL-2). Throws 503 when identity does not answer and the request would be sent.
   */
  async intend({ tenant, key }: DueWork): Promise<Collection | null> {
    const facts = this.facts.tenant(tenant);
    // An order that has ended ends the payment without identity too, so a missing answer is thrown where it is needed.
    await facts.catch(() => null);
    const after = await this.change.execute({ tenant, id: Number(key) }, (row, tx, states) =>
      intended(row, states, tx.now, async () => this.refusalOf(row, (await facts).settings, tx)),
    );
    const upi = after && upiOf(after);
    const isWanted = upi && upi.state !== 'waiting' && upi.sent_at === null;
    return isWanted && after.status === 'PENDING' ? after : null;
  }

  private async refusalOf(
    payment: Collection,
    settings: TenantFacts['settings'],
    tx: Tx,
  ): Promise<ApiError | null> {
    const collect = payment.upi?.type === 'collect' ? collectRefusal(settings, 'api', tx.now) : null;
    const source = { db: tx, times: this.config.times };
    const refusal = collect ?? (await upiLimitRefusal(source, payment, settings, tx.now));
    const { tenant, id: payment_id } = payment;
    const policy = refusal?.policy?.name;
    if (refusal)
      this.log.warn('a policy refuses the request to the investor', { tenant, payment_id, policy });
    return refusal;
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

/** Checks under the lock that the payment is PENDING, in time, allowed, and all orders are submitted. An order that has ended ends the payment. */
async function intended(
  payment: Collection,
  states: OrderStates,
  now: Date,
  refusalOf: () => Promise<ApiError | null>,
): Promise<CollectionOutcome> {
  const upi = upiOf(payment);
  if (payment.status !== 'PENDING' || upi?.state !== 'waiting' || now >= upi.expires_at)
    return still(payment);
  if (!sharesReady(payment.orders, states)) return ordersChanged(payment, states, now);
  if (await refusalOf()) return providerFailed(payment, 'payment_failed', now);
  const state = apply(upiRequestMachine, upi.state, 'request');
  return decided({ ...payment, request: { ...upi, state } }, note(payment, 'request_uri'));
}
