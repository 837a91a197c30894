import {
  ApiError,
  DEBIT_REFUSALS,
  MOST_DEBITS_AT_ONCE,
  type RaisedDebit,
  type RaisedDebits,
  type RaiseDebitRequest,
} from '@fundrail/contracts';
import { GroupedCalls } from '@fundrail/messaging';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { livePaymentOf } from '../payment/order-state.repository.ts';
import { PaymentIds } from '../payment/payment-ids.ts';
import { findPayment } from '../payment/payment.repository.ts';
import {
  findOrderDebits,
  refuseOrderDebit,
  renewOrderDebits,
  reserveOrderDebits,
} from './order-debit.repository.ts';
import type { OrderDebit, Renewal, Reservation } from './order-debit.repository.ts';
import { RaiseDebit } from './raise-debit.ts';

/** Wall milliseconds that a call for many debits waits for each: one slow debit must not hold up the answer about the others. */
const WAITED_MS = 3_000;
const UNKNOWN = { outcome: 'unknown' } as const;

type Refusal = Extract<RaisedDebit, { outcome: 'refused' }>;

/**
 * `POST /internal/payments/debits`: debits an installment of a plan. The payment's id is stored for the order before other services are
 * called, so that a repeated call continues where the first one stopped, and returns the same result.
 */
@Injectable()
export class DebitForOrder {
  private readonly reservations = new GroupedCalls(
    (requests: readonly RaiseDebitRequest[]) => this.reserveAll(requests),
    MOST_DEBITS_AT_ONCE,
  );

  constructor(
    private readonly ids: PaymentIds,
    private readonly raise: RaiseDebit,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Throws 503 when the outcome is not known; the caller repeats the same call then. */
  async execute(request: RaiseDebitRequest): Promise<RaisedDebit> {
    const known = await this.reservations.call(request);
    const answer = answerOf(known);
    if (answer) return answer;
    const { payment_id: id } = known;
    try {
      const status = await this.raise.execute({ ...request, id });
      return { outcome: 'raised', payment_id: id, status };
    } catch (error) {
      await this.take(request, id, error);
    }
    const [now] = await findOrderDebits(this.database, [request]);
    const result = now && answerOf(now);
    if (result) return result;
    throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
  }

  /**
   * `POST /internal/payments/debits/batch`: the same for many, together, so that they share calls and transactions. One result for each, in
   * the order of the requests; `unknown` where `execute` throws, or needs more than 3 s.
   */
  executeAll(requests: readonly RaiseDebitRequest[]): Promise<RaisedDebits['results']> {
    const late = pause(WAITED_MS, UNKNOWN, { ref: false });
    return Promise.all(requests.map((request) => Promise.race([this.resultOf(request), late])));
  }

  private async resultOf(request: RaiseDebitRequest): Promise<RaisedDebits['results'][number]> {
    try {
      return await this.execute(request);
    } catch (error) {
      const { tenant, old_id } = request;
      this.log.warn('the outcome of a debit is not known', { tenant, old_id, why: String(error) });
      return UNKNOWN;
    }
  }

  /** The debit of each order, whose id is not void unless it was refused. */
  private async reserveAll(requests: readonly RaiseDebitRequest[]): Promise<OrderDebit[]> {
    for (;;) {
      const known = await findOrderDebits(this.database, requests);
      const usable = known.filter(isUsable);
      if (usable.length === requests.length) return usable;
      const [reservations, renewals]: [Reservation[], Renewal[]] = [[], []];
      for (const [index, request] of requests.entries()) {
        const debit = known[index];
        if (debit && usable.includes(debit)) continue;
        const payment_id = await this.ids.draw();
        if (debit) renewals.push({ ...request, from: debit.payment_id, to: payment_id });
        else reservations.push({ ...request, payment_id });
      }
      await renewOrderDebits(this.database, renewals);
      await reserveOrderDebits(this.database, reservations);
    }
  }

  /** Stores a refusal for every later call. After any other error the caller tries again. */
  private async take(request: RaiseDebitRequest, id: number, error: unknown): Promise<void> {
    const refusal = refusalIn(error);
    const { tenant, old_id } = request;
    if (!refusal) {
      this.log.warn('a debit for an order was not raised yet', {
        tenant,
        old_id,
        payment_id: id,
        why: String(error),
      });
      return;
    }
    if (refusal.code !== 'PAYMENT_ALREADY_EXISTS')
      return refuseOrderDebit(this.database, request, id, refusal);
    const live = await livePaymentOf(this.database, tenant, old_id);
    const payment = live === null ? null : await findPayment(this.database, tenant, live);
    // The claim on the order is about to become a payment, or to be released.
    if (!payment) return;
    // A debit that the client requested collects the same order.
    if (payment.payment_type === 'NACH')
      await renewOrderDebits(this.database, [{ tenant, old_id, from: id, to: payment.id }]);
    else await refuseOrderDebit(this.database, request, id, refusal);
  }
}

function isUsable(debit: OrderDebit | null): debit is OrderDebit {
  return debit !== null && (debit.kind !== 'void' || debit.refused_code !== null);
}

/** The known result of the order's debit, or null while there is none. */
function answerOf(known: OrderDebit): RaisedDebit | null {
  const { payment_id, refused_code: code, refused_message: message, status } = known;
  if (code !== null) return { outcome: 'refused', code, message: message ?? '' };
  return status && { outcome: 'raised', payment_id, status };
}

function refusalIn(error: unknown): Refusal | null {
  if (!(error instanceof ApiError)) return null;
  const code = DEBIT_REFUSALS.find((refusal) => refusal === error.code);
  return code === undefined ? null : { outcome: 'refused', code, message: error.message };
}
