import { ApiError, DEBIT_REFUSALS } from '@fundrail/contracts';
import type { RaisedDebit, RaiseDebitRequest } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
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

type Refusal = Extract<RaisedDebit, { outcome: 'refused' }>;

/**
 * `POST /internal/payments/debits`: a plan's installment is debited. The order has one id, written down before anything is
 * asked of the neighbours, so that a second call goes on where the first one died and answers what the first one came to.
 */
@Injectable()
export class DebitForOrder {
  constructor(
    private readonly ids: PaymentIds,
    private readonly raise: RaiseDebit,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Throws 503 when the outcome is not known: then the same call is made again. */
  async execute(asked: RaiseDebitRequest): Promise<RaisedDebit> {
    const known = await this.reserved(asked);
    const answer = await this.answerOf(asked, known);
    if (answer) return answer;
    const { payment_id: id } = known;
    try {
      const { tenant, mandate_id, old_id, order_id } = asked;
      return await this.raise.execute({
        ...{ id, tenant, mandate_id, old_id, order_id },
        answer: (_tx, payment) =>
          Promise.resolve({ outcome: 'raised', payment_id: payment.id, status: payment.status } as const),
      });
    } catch (error) {
      await this.take(asked, id, error);
    }
    const now = await findOrderDebit(this.database, asked);
    const told = now && (await this.answerOf(asked, now));
    if (told) return told;
    throw new ApiError('SERVICE_UNAVAILABLE', undefined, [], 1);
  }

  private async reserved(asked: RaiseDebitRequest): Promise<OrderDebit> {
    for (;;) {
      const known = await findOrderDebit(this.database, asked);
      if (known && (known.kind !== 'void' || known.refused_code !== null)) return known;
      const id = await this.ids.draw();
      if (known) await renewOrderDebit(this.database, asked, known.payment_id, id);
      else await reserveOrderDebit(this.database, asked, id);
    }
  }

  /** What is known of the order's debit, or null: nothing yet. */
  private async answerOf({ tenant }: RaiseDebitRequest, known: OrderDebit): Promise<RaisedDebit | null> {
    const { payment_id, refused_code: code, refused_message: message } = known;
    if (code !== null) return { outcome: 'refused', code, message: message ?? '' };
    const payment = await findPayment(this.database, tenant, payment_id);
    return payment && { outcome: 'raised', payment_id, status: payment.status };
  }

  /** A refusal counts for every later call; after anything else the order is asked for again. */
  private async take(asked: RaiseDebitRequest, id: number, error: unknown): Promise<void> {
    const refusal = refusalIn(error);
    const { tenant, old_id } = asked;
    if (!refusal) {
      this.log.warn('a debit for an order came to nothing yet', {
        tenant,
        old_id,
        payment_id: id,
        why: String(error),
      });
      return;
    }
    if (refusal.code !== 'PAYMENT_ALREADY_EXISTS') return refuseOrderDebit(this.database, asked, id, refusal);
    const live = await livePaymentOf(this.database, tenant, old_id);
    const payment = live === null ? null : await findPayment(this.database, tenant, live);
    // Whatever holds the order is on its way to become its payment, or to let go of it.
    if (!payment) return;
    // A debit that its client asked for collects the same order.
    if (payment.payment_type === 'NACH') await renewOrderDebit(this.database, asked, id, payment.id);
    else await refuseOrderDebit(this.database, asked, id, refusal);
  }
}

function refusalIn(error: unknown): Refusal | null {
  if (!(error instanceof ApiError)) return null;
  const code = DEBIT_REFUSALS.find((refusal) => refusal === error.code);
  return code === undefined ? null : { outcome: 'refused', code, message: error.message };
}
