import type { FetchedPaymentDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { toPayment } from '../../payment/payment.ts';
import { checkoutOf, isUnanswered, type Collection } from '../collection.ts';
import { AuthorisationAnswers } from './authorisation-answers.ts';
import { Registrations } from './registrations.ts';

/** GET of an authorisation. While it is PENDING, it includes the unused page and the SDK options, so that a client can recover a lost answer. */
@Injectable()
export class ShowAuthorisation {
  constructor(
    private readonly mandates: Mandates,
    private readonly registrations: Registrations,
    private readonly answers: AuthorisationAnswers,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when another service does not answer. */
  async execute(payment: Collection): Promise<FetchedPaymentDto> {
    const shown = toPayment(payment);
    const { tenant, mandate_id, status } = payment;
    if (status !== 'PENDING' || isUnanswered(payment)) return shown;
    const page = { ...shown, ...this.answers.unused(payment, await this.database.now()) };
    const mandate = checkoutOf(payment)?.sdk_offered
      ? await this.mandates.facts(tenant, mandate_id ?? 0)
      : null;
    if (!mandate) return page;
    const registration = await this.registrations.of(payment, mandate, this.config.times.fromCreationMs);
    return { ...page, sdk_options: this.answers.sdkOptions(payment, registration) };
  }
}
