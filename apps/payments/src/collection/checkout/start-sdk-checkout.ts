import { ApiError, type CreatedPaymentDto } from '@fundrail/contracts';
import { Database, isKeyTakenOver } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../../fault-points.ts';
import { ChangePayment } from '../../payment/change-payment.ts';
import type { Payment } from '../../payment/payment.ts';
import { GiveUpCreation } from '../give-up-creation.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { ProviderRefused } from '../provider-refused.ts';
import { CheckoutAnswers } from './checkout-answers.ts';
import { OpenCheckout, openCheckout } from './open-checkout.ts';

/**
 * A creation that needs the provider's answer (PAY-12). The provider is called after the payment is committed and outside of any
 * transaction, while the idempotency key is still open. The provider's order and our answer are recorded together, so that a
 * creation that was answered is never given up. On a refusal or no answer nothing can have been paid: the payment fails and its
 * claim is released in the same request, which answers 422 with the provider's reason, or 503. `payment.expire` gives up a request
 * that died; if it was only slow, it finds the payment FAILED and answers 503.
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

  /** Throws 422 `PROVIDER_REFUSED` or 503, with the payment FAILED; 409 when another request took over the key and continues with the same id. */
  async execute(caller: Caller, payment: Payment): Promise<CreatedPaymentDto> {
    try {
      const answer = await this.answered(caller, payment);
      if (!answer) throw noAnswer();
      await passFaultPoint('payments.checkout_opened');
      return answer;
    } catch (error) {
      if (!isKeyTakenOver(error)) await this.end(payment, error);
      throw error;
    }
  }

  private async orderOf(payment: Payment): Promise<string | null> {
    const opened = await this.open.order(payment);
    if (opened.kind === 'refused') throw new ProviderRefused(opened);
    return opened.kind === 'opened' ? opened.order_id : null;
  }

  /** Throws 409 when another request with the same key got the order meanwhile: then the payment was not refused. */
  private async end(payment: Payment, error: unknown): Promise<void> {
    if (!(error instanceof ProviderRefused)) return void (await this.giveUp.execute(payment));
    if (!(await this.giveUp.execute(payment, error.failure_code)))
      throw new ApiError('IDEMPOTENCY_KEY_IN_USE');
  }

  /** Null: the provider gave no answer, or the payment is over. Throws 503 when identity does not answer. */
  private async answered(caller: Caller, payment: Payment): Promise<CreatedPaymentDto | null> {
    if (payment.status !== 'PENDING') return null;
    // Before the order is created, because this may fail.
    const contact = await this.toProvider.contactOf(payment);
    const order_id = payment.checkout_order_id ?? (await this.orderOf(payment));
    if (order_id === null) return null;
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, payment, (row) => openCheckout(row, order_id, tx.now));
      if (after?.status !== 'PENDING') return null;
      return caller.answer(tx, this.answers.createdWithSdk(after, contact));
    });
  }
}

function noAnswer(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The payment provider does not answer; try again', [], 5);
}
