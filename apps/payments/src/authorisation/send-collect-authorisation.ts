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
 * `authorisation.collect`: asks the investor's UPI app to authorise the mandate. The payment itself is the intent; the call has
 * our reference as its key, so no answer is asked for again and asks the investor once.
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

  /** Sends the request, again under the same key when it was sent before. */
  async send(payment: Payment): Promise<DueResult> {
    const { times } = this.config;
    const mandate = await this.mandates.facts(payment.tenant, payment.mandate_id ?? 0);
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandate || !mandates || payment.upi_vpa === null)
      throw new Error(`payment ${payment.id} authorises no mandate by collect`);
    const registration = await this.registrations.of(payment, mandate, times.fromCollectMs);
    const answer = await mandates.authoriseByCollect(registration, payment.upi_vpa);
    await passFaultPoint('payments.collect_answered');
    return this.request.conclude(
      payment,
      readAnswer(answer, () => ({
        decide: (row, now) => unlessEnded(row, now, () => collectSent(row, now, times)),
      })),
    );
  }
}
