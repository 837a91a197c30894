import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { findPayment } from '../payment/payment.repository.ts';
import { collectSent, expiryOf } from '../payment/payment.ts';
import type { Payment } from '../payment/payment.ts';
import { readAnswer, unlessEnded, UpiRequest } from '../payment/upi-request.ts';
import { Registrations } from './registrations.ts';

/**
 * `authorisation.collect`: sends the request to authorise to the investor's UPI app. The payment itself is the intent. Our reference
 * is the key of the call, so a retry after a lost answer does not ask the investor twice.
 */
@Injectable()
@HandlesDue('authorisation.collect')
export class SendCollectAuthorisation implements DueHandler {
  readonly kind = 'authorisation.collect';

  constructor(
    private readonly request: UpiRequest,
    private readonly providers: PaymentProviders,
    private readonly mandates: Mandates,
    private readonly registrations: Registrations,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await findPayment(this.database, work.tenant, Number(work.key));
    if (payment?.status !== 'PENDING' || payment.collect_sent_at !== null) return 'done';
    if ((await this.database.now()) >= expiryOf(payment)) return 'done';
    return this.send(payment);
  }

  /** Sends the request; a resend has the same key. */
  async send(payment: Payment): Promise<DueResult> {
    const { times } = this.config;
    const mandate = await this.mandates.facts(payment.tenant, payment.mandate_id ?? 0);
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandate || !mandates || payment.upi_vpa === null)
      throw new Error(`payment ${payment.id} does not authorise a mandate by collect`);
    const registration = await this.registrations.of(payment, mandate, times.fromCollectMs);
    const answer = await mandates.authoriseByCollect(registration, payment.upi_vpa);
    await passFaultPoint('payments.collect_answered');
    return this.request.conclude(
      payment,
      'authorise_by_collect',
      readAnswer(answer, () => ({
        decide: (row, now) => unlessEnded(row, now, () => collectSent(row, now, times)),
      })),
    );
  }
}
