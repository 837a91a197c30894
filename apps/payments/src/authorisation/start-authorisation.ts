import { ApiError } from '@fundrail/contracts';
import type { CreatedAuthorisationDto, MandateFacts, PaymentFailureCode } from '@fundrail/contracts';
import type { Answer, MandateRegistration, ProviderMandates } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment } from '../payment/change-payment.ts';
import { GiveUpCreation } from '../payment/give-up-creation.ts';
import { issueUri } from '../payment/payment.ts';
import type { Outcome, Payment } from '../payment/payment.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { openAuthorisation } from './authorisation.ts';
import { Registrations } from './registrations.ts';

/** What the provider's answer comes to: the change that records it, and what the client is then told. */
interface Started {
  readonly decide: (row: Payment, now: Date) => Outcome;
  readonly answer: (row: Payment) => CreatedAuthorisationDto;
}

/**
 * The creation that needs the provider's answer (contract §10 "Payments"): the URI, or the order behind SDK options. The payment
 * is committed, its key is still open, and no transaction is while the provider is asked; its answer and ours are recorded
 * together. On refusal or silence nothing can have been authorised: the payment fails, the mandate is free for another one in
 * the same request, and the answer is 503.
 */
@Injectable()
export class StartAuthorisation {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly registrations: Registrations,
    private readonly answers: AuthorisationAnswers,
    private readonly change: ChangePayment,
    private readonly giveUp: GiveUpCreation,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  /** Throws 503, the payment FAILED; 409 when another request has taken the key over, which then goes on under the same id. */
  async execute(caller: Caller, payment: Payment, mandate: MandateFacts): Promise<CreatedAuthorisationDto> {
    try {
      const answer = await this.answered(caller, payment, mandate);
      if (!answer) throw silent();
      await passFaultPoint('payments.checkout_opened');
      return answer;
    } catch (error) {
      if (!isTakenOver(error)) await this.giveUp.execute(payment);
      throw error;
    }
  }

  private async answered(
    caller: Caller,
    payment: Payment,
    mandate: MandateFacts,
  ): Promise<CreatedAuthorisationDto | null> {
    if (payment.status !== 'PENDING') return null;
    const { fromUriMs, fromCreationMs } = this.config.times;
    const withinMs = payment.upi_type === 'uri' ? fromUriMs : fromCreationMs;
    const registration = await this.registrations.of(payment, mandate, withinMs);
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandates) throw new Error(`${payment.provider_name} takes no mandates`);
    const started =
      payment.upi_type === 'uri'
        ? await this.byUri(payment, mandates, registration)
        : await this.byCheckout(payment, mandates, registration);
    if (!started) return null;
    return this.database.transaction(async (tx) => {
      const after = await this.change.within(tx, payment, (row) => started.decide(row, tx.now));
      return after?.status === 'PENDING' ? caller.answer(tx, started.answer(after)) : null;
    });
  }

  private async byUri(
    payment: Payment,
    mandates: ProviderMandates,
    registration: MandateRegistration,
  ): Promise<Started | null> {
    const value = await this.valueOf(payment, mandates.authoriseByUri(registration));
    if (!value) return null;
    return {
      decide: (row, now) => issueUri(row, value.uri, now, this.config.times),
      answer: (row) => this.answers.created(row),
    };
  }

  private async byCheckout(
    payment: Payment,
    { checkout }: ProviderMandates,
    registration: MandateRegistration,
  ): Promise<Started | null> {
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout for mandates`);
    const order = await this.valueOf(payment, checkout.open(registration));
    return (
      order && {
        decide: (row, now) => openAuthorisation(row, order, now),
        answer: (row) => this.answers.sdk(row, registration),
      }
    );
  }

  private async valueOf<T>(
    payment: Payment,
    asked: Promise<Answer<T, PaymentFailureCode>>,
  ): Promise<T | null> {
    const answer = await asked;
    await passFaultPoint('payments.checkout_answered');
    return answer.kind === 'yes' ? answer.value : this.refuse(payment, answer.kind);
  }

  private refuse({ tenant, id: payment_id }: Payment, why: string): null {
    this.log.warn('the provider began no authorisation', { tenant, payment_id, why });
    return null;
  }
}

function isTakenOver(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'IDEMPOTENCY_KEY_IN_USE';
}

function silent(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', 'The payment provider does not answer; try again', [], 5);
}
