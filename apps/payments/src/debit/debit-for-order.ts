import {
  ApiError,
  DEBIT_REFUSALS,
  type RaisedDebit,
  type RaisedDebits,
  type RaiseDebitRequest,
} from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { livePaymentOf } from '../payment/order-state.repository.ts';
import { PaymentIds } from '../payment/payment-ids.ts';
import { findPayment } from '../payment/payment.repository.ts';
import {
  findOrderDebit,
  refuseOrderDebit,
  renewOrderDebit,
  reserveOrderDebit,
} from './order-debit.repository.ts';
import type { OrderDebit } from './order-debit.repository.ts';
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
  constructor(
    private readonly ids: PaymentIds,
    private readonly raise: RaiseDebit,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Throws 503 when the outcome is not known; the caller repeats the same call then. */
  async execute(request: RaiseDebitRequest): Promise<RaisedDebit> {
    const known = await this.reserved(request);
    const answer = await this.answerOf(request, known);
    if (answer) return answer;
    const { payment_id: id } = known;
    try {
      const { tenant, mandate_id, old_id, order_id } = request;
      return await this.raise.execute({
        ...{ id, tenant, mandate_id, old_id, order_id },
        answer: (_tx, payment) =>
          Promise.resolve({ outcome: 'raised', payment_id: payment.id, status: payment.status } as const),
      });
    } catch (error) {
      await this.take(request, id, error);
    }
    const now = await findOrderDebit(this.database, request);
    const result = now && (await this.answerOf(request, now));
    if (result) return result;
    throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
  }

  /**
   * `POST /internal/payments/debits/batch`: the same for many, together, so that their claims travel together. One result for each, in
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

  private async reserved(request: RaiseDebitRequest): Promise<OrderDebit> {
    for (;;) {
      const known = await findOrderDebit(this.database, request);
      if (known && (known.kind !== 'void' || known.refused_code !== null)) return known;
      const id = await this.ids.draw();
      if (known) await renewOrderDebit(this.database, request, known.payment_id, id);
      else await reserveOrderDebit(this.database, request, id);
    }
  }

  /** The known result of the order's debit, or null while there is none. */
  private async answerOf({ tenant }: RaiseDebitRequest, known: OrderDebit): Promise<RaisedDebit | null> {
    const { payment_id, refused_code: code, refused_message: message } = known;
    if (code !== null) return { outcome: 'refused', code, message: message ?? '' };
    const payment = await findPayment(this.database, tenant, payment_id);
    return payment && { outcome: 'raised', payment_id, status: payment.status };
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
    if (payment.payment_type === 'NACH') await renewOrderDebit(this.database, request, id, payment.id);
    else await refuseOrderDebit(this.database, request, id, refusal);
  }
}

function refusalIn(error: unknown): Refusal | null {
  if (!(error instanceof ApiError)) return null;
  const code = DEBIT_REFUSALS.find((refusal) => refusal === error.code);
  return code === undefined ? null : { outcome: 'refused', code, message: error.message };
}
