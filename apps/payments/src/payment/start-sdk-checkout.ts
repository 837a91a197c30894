import { ApiError } from '@fundrail/contracts';
import type { CreatedPaymentDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { ChangePayment } from './change-payment.ts';
import { CheckoutAnswers } from './checkout-answers.ts';
import { GiveUpCreation } from './give-up-creation.ts';
import { OpenCheckout, openCheckout } from './open-checkout.ts';
import type { Payment } from './payment.ts';
import { ProviderPayments } from './provider-payments.ts';

/**
 * The creation that needs the provider's answer (contract §10 "Payments"): the payment is committed, its key is still open,
 * and no transaction is while the provider is asked. The provider's order and our answer are recorded together, so that
 * whoever gives the creation up knows whether it was answered. On refusal or silence nothing can have been paid: the payment
 * fails, its claim is freed in the same request, and the answer is 503. A request that died is given up by
 * `payment.expire`; if it was only slow, it finds that and answers 503.
 */
@Injectable()
export class StartSdkCheckout {
  constructor(
    private readonly open: OpenCheckout,
    private readonly answers: CheckoutAnswers,
    private readonly toProvider: ProviderPayments,
    private readonly change: ChangePayment,
    private readonly giveUp: GiveUpCreation,
    private readonly database: Database,
  ) {}

  /** Throws 503, the payment FAILED; 409 when another request has taken the key over, which then goes on under the same id. */
  async execute(caller: Caller, payment: Payment): Promise<CreatedPaymentDto> {
    try {
      const answer = await this.answered(caller, payment);
      if (!answer) throw refused();
      await passFaultPoint('payments.checkout_opened');
      return answer;
    } catch (error) {
      if (!isTakenOver(error)) await this.giveUp.execute(payment);
      throw error;
    }
  }

  /** Null: the provider opened nothing, or the payment is over. Throws 503 when identity does not answer. */
  private async answered(caller: Caller, payment: Payment): Promise<CreatedPaymentDto | null> {
    if (payment.status !== 'PENDING') return null;
    // Whatever may fail comes before the record.
    const contact = await this.toProvider.contactOf(payment);
    const order_id = payment.checkout_order_id ?? (await this.open.order(payment));
    if (order_id === null) return null;
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, payment, (row) => openCheckout(row, order_id, tx.now));
      if (after?.status !== 'PENDING') return null;
      return caller.answer(tx, this.answers.createdWithSdk(after, contact));
    });
  }
}

function isTakenOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE';
}

function refused(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The payment provider does not answer; try again', [], 5);
}
