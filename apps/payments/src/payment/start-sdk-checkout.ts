import { ApiError } from '@fundrail/contracts';
import type { CreatedPaymentDto } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { ChangePayment } from './change-payment.ts';
import { CheckoutAnswers } from './checkout-answers.ts';
import { OpenCheckout } from './open-checkout.ts';
import { lockPayment } from './payment.repository.ts';
import { failPayment, isDead, unchanged } from './payment.ts';
import type { Payment } from './payment.ts';

/**
 * The creation that needs the provider's answer (contract §10 "Payments"): the payment is committed, its key is still open,
 * and no transaction is while the provider is asked. On refusal or silence nothing can have been paid: the payment fails,
 * its claim is freed in the same request, and the answer is 503.
 */
@Injectable()
export class StartSdkCheckout {
  constructor(
    private readonly open: OpenCheckout,
    private readonly answers: CheckoutAnswers,
    private readonly change: ChangePayment,
    private readonly claims: OrderClaims,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Throws 503, the payment FAILED; 409 when another request has taken the key over, which then goes on under the same id. */
  async execute(caller: Caller, payment: Payment): Promise<CreatedPaymentDto> {
    const answer = await this.answerOf(payment).catch(async (error: unknown) => {
      await this.giveUp(payment);
      throw error;
    });
    if (!answer) {
      await this.giveUp(payment);
      throw refused();
    }
    return this.database.transaction(async (tx) => {
      const now = await lockPayment(tx, payment.tenant, payment.id);
      if (now?.status !== 'PENDING') throw refused();
      return caller.answer(tx, answer);
    });
  }

  private async answerOf(payment: Payment): Promise<CreatedPaymentDto | null> {
    try {
      const opened = await this.open.execute(payment);
      return opened && (await this.answers.createdWithSdk(opened));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SERVICE_UNAVAILABLE') return null;
      throw error;
    }
  }

  private async giveUp({ tenant, id }: Payment): Promise<void> {
    const after = await this.change.execute({ tenant, id }, (row, tx) =>
      row.status === 'PENDING' ? failPayment(row, 'fail', 'pg_server_error', tx.now) : unchanged(row),
    );
    if (!after || !isDead(after.status)) return;
    try {
      await this.claims.release(tenant, id);
    } catch (error) {
      this.log.error('the claim is left to the event of the failure', error, { tenant, payment_id: id });
    }
  }
}

function refused(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The payment provider does not answer; try again', [], 5);
}
