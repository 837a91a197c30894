import type { CreatedAuthorisationDto, MandateFacts, PaymentFailureCode } from '@fundrail/contracts';
import type { Answer, MandateRegistration, ProviderMandates } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { passFaultPoint } from '../../fault-points.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import type { Outcome, Payment } from '../../payment/payment.ts';
import { issueUri } from '../collection.ts';
import { ProviderRefused } from '../provider-refused.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { openAuthorisation } from './authorisation.ts';
import { Registrations } from './registrations.ts';

/** The change that records the provider's answer, and the answer to the client. */
interface Started {
  readonly decide: (row: Payment, now: Date) => Outcome;
  readonly answer: (row: Payment) => CreatedAuthorisationDto;
}

/** Calls the provider to start an authorisation. Call it outside any transaction. */
@Injectable()
export class AuthorisationCalls {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly registrations: Registrations,
    private readonly answers: AuthorisationAnswers,
    private readonly config: PaymentsConfig,
    private readonly log: Log,
  ) {}

  /** Null without a usable answer. Throws `ProviderRefused`. */
  async start(payment: Payment, mandate: MandateFacts): Promise<Started | null> {
    const isByUri = payment.upi_type === 'uri';
    const { fromUriMs, fromCreationMs } = this.config.times;
    const withinMs = isByUri ? fromUriMs : fromCreationMs;
    const registration = await this.registrations.of(payment, mandate, withinMs);
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandates) throw new Error(`${payment.provider_name} does not support mandates`);
    return isByUri
      ? this.byUri(payment, mandates, registration)
      : this.byCheckout(payment, mandates, registration);
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
    if (answer.kind === 'yes') return answer.value;
    const { tenant, id: payment_id } = payment;
    this.log.warn('the provider did not start the authorisation', { tenant, payment_id, why: answer.kind });
    if (answer.kind === 'no') throw new ProviderRefused(answer);
    return null;
  }
}
