import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { findPayment } from '../../payment/payment.repository.ts';
import type { Payment } from '../../payment/payment.ts';
import { expiryOf } from '../collection.ts';
import { collectAnswered, UpiRequest, type Decide, type UpiCall } from '../upi/upi-request.ts';
import { Registrations } from './registrations.ts';

/**
 * `authorisation.collect`: sends the request to authorise to the investor's UPI app. The payment itself is the intent. Our reference
 * is the key of the call, so a retry after a lost answer does not ask the investor twice.
 */
@Injectable()
@HandlesDue('authorisation.collect')
export class SendCollectAuthorisation {
  constructor(
    private readonly request: UpiRequest,
    private readonly providers: PaymentProviders,
    private readonly mandates: Mandates,
    private readonly registrations: Registrations,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  handle(work: DueWork): Promise<DueResult> {
    return pursue(this.outsideCall, work);
  }

  get outsideCall(): UpiCall {
    return this.request.callOf({
      load: async ({ tenant, key }) => {
        const payment = await findPayment(this.database, tenant, Number(key));
        if (payment?.status !== 'PENDING' || payment.collect_sent_at !== null) return null;
        return (await this.database.now()) < expiryOf(payment) ? payment : null;
      },
      send: { name: 'payments.send_collect', call: (payment) => this.send(payment) },
    });
  }

  private async send(payment: Payment): Promise<OutsideAnswer<Decide>> {
    const { times } = this.config;
    const mandate = await this.mandates.facts(payment.tenant, payment.mandate_id ?? 0);
    const { mandates } = this.providers.of(payment.provider_name);
    if (!mandate || !mandates || payment.upi_vpa === null)
      throw new Error(`payment ${payment.id} does not authorise a mandate by collect`);
    const registration = await this.registrations.of(payment, mandate, times.fromCollectMs);
    const answer = await mandates.authoriseByCollect(registration, payment.upi_vpa);
    return this.request.read(payment, 'authorise_by_collect', collectAnswered(answer, times));
  }
}
