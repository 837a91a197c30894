import type { CreatedAuthorisationDto, MandateFacts } from '@fundrail/contracts';
import type { MandateRegistration, ProviderMandates } from '@fundrail/providers';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import type { Payment } from '../../payment/payment.ts';
import { AnswerCreation, type Started } from '../answer-creation.ts';
import { openCheckout } from '../checkout/open-checkout.ts';
import { issueUri, isUnanswered, type Collection } from '../collection.ts';
import { PayeeHandles } from '../upi/payee-handles.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { Registrations } from './registrations.ts';

type Creation = Started<CreatedAuthorisationDto>;

/** The creation of an authorisation: by URI or SDK, its answer needs the provider's. */
@Injectable()
export class StartAuthorisation {
  constructor(
    private readonly providers: PaymentProviders,
    private readonly registrations: Registrations,
    private readonly handles: PayeeHandles,
    private readonly answers: AuthorisationAnswers,
    private readonly creation: AnswerCreation,
    private readonly config: PaymentsConfig,
  ) {}

  /** A payment that needs no answer of the provider was answered when it was stored. Otherwise as `execute`. */
  async ifUnanswered(
    caller: Caller,
    payment: Collection,
    mandate: MandateFacts,
  ): Promise<CreatedAuthorisationDto> {
    return isUnanswered(payment) ? this.execute(caller, payment, mandate) : this.answers.created(payment);
  }

  /** Throws as `AnswerCreation`. */
  execute(caller: Caller, payment: Collection, mandate: MandateFacts): Promise<CreatedAuthorisationDto> {
    return this.creation.execute(caller, payment, () => this.start(payment, mandate));
  }

  /** Null without a usable answer. Throws `ProviderRefused`. */
  private async start(payment: Collection, mandate: MandateFacts): Promise<Creation | null> {
    const isByUri = payment.upi?.type === 'uri';
    const { fromUriMs, fromCreationMs } = this.config.times;
    const registration = await this.registrations.of(payment, mandate, isByUri ? fromUriMs : fromCreationMs);
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
  ): Promise<Creation | null> {
    const asked = await mandates.authoriseByUri(registration);
    const checked = await this.handles.checked(payment.tenant, asked);
    const value = await this.creation.read(payment, checked);
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
  ): Promise<Creation | null> {
    if (!checkout) throw new Error(`${payment.provider_name} has no checkout for mandates`);
    const order = await this.creation.read(payment, await checkout.open(registration));
    return (
      order && {
        decide: (row, now) => openCheckout(row, order, now),
        answer: (row) => this.answers.sdk(row, registration),
      }
    );
  }
}
