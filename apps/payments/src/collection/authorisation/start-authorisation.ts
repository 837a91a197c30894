import { ApiError, type CreatedAuthorisationDto, type MandateFacts } from '@fundrail/contracts';
import { Database, isKeyTakenOver } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../../fault-points.ts';
import { ChangePayment } from '../../payment/change-payment.ts';
import type { Payment } from '../../payment/payment.ts';
import { isUnanswered } from '../collection.ts';
import { GiveUpCreation } from '../give-up-creation.ts';
import { ProviderRefused } from '../provider-refused.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { AuthorisationCalls } from './authorisation-calls.ts';

/**
 * A creation that needs the provider's answer (PAY-12): the URI, or the order for SDK options. The provider is called after the
 * payment is committed and outside of any transaction, while the idempotency key is still open. The provider's answer and ours are
 * recorded together. On a refusal or no answer nothing can have been authorised: the payment fails and the mandate is released in
 * the same request, which answers 422 with the provider's reason, or 503.
 */
@Injectable()
export class StartAuthorisation {
  constructor(
    private readonly calls: AuthorisationCalls,
    private readonly answers: AuthorisationAnswers,
    private readonly change: ChangePayment,
    private readonly giveUp: GiveUpCreation,
    private readonly database: Database,
  ) {}

  /** A payment that needs no answer of the provider was answered when it was stored. Otherwise as `execute`. */
  async ifUnanswered(
    caller: Caller,
    payment: Payment,
    mandate: MandateFacts,
  ): Promise<CreatedAuthorisationDto> {
    return isUnanswered(payment) ? this.execute(caller, payment, mandate) : this.answers.created(payment);
  }

  /** Throws 422 `PROVIDER_REFUSED` or 503, with the payment FAILED; 409 when another request took over the key and continues with the same id. */
  async execute(caller: Caller, payment: Payment, mandate: MandateFacts): Promise<CreatedAuthorisationDto> {
    try {
      const answer = await this.answered(caller, payment, mandate);
      if (!answer)
        throw new ApiError('SERVICE_UNAVAILABLE', 'The payment provider does not answer; try again', [], 5);
      await passFaultPoint('payments.checkout_opened');
      return answer;
    } catch (error) {
      if (!isKeyTakenOver(error)) await this.end(payment, error);
      throw error;
    }
  }

  /** Throws 409 when another request with the same key was answered meanwhile: then the payment was not refused. */
  private async end(payment: Payment, error: unknown): Promise<void> {
    if (!(error instanceof ProviderRefused)) return void (await this.giveUp.execute(payment));
    if (!(await this.giveUp.execute(payment, error.failure_code)))
      throw new ApiError('IDEMPOTENCY_KEY_IN_USE');
  }

  private async answered(
    caller: Caller,
    payment: Payment,
    mandate: MandateFacts,
  ): Promise<CreatedAuthorisationDto | null> {
    if (payment.status !== 'PENDING') return null;
    const started = await this.calls.start(payment, mandate);
    if (!started) return null;
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, payment, (row) => started.decide(row, tx.now));
      return after?.status === 'PENDING' ? caller.answer(tx, started.answer(after)) : null;
    });
  }
}
