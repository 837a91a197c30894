import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { Mandates } from '../../outside/mandates-client.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { findCollection } from '../collection.repository.ts';
import { expiryOf, upiOf, type Collection, type Decide } from '../collection.ts';
import { collectAnswered, UpiCalls, type UpiCall } from '../upi/upi-calls.ts';
import { Registrations } from './registrations.ts';

/**
 * `authorisation.collect`: sends the request to authorise to the investor's UPI app. The payment itself is the intent. Our reference
 * is the key of the call, so a retry after a lost answer does not ask the investor twice.
 */
@Injectable()
@HandlesDue('authorisation.collect')
export class SendCollectAuthorisation {
  constructor(
    private readonly calls: UpiCalls,
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
    return this.calls.callOf({
      load: async ({ tenant, key }) => {
        const payment = await findCollection(this.database, tenant, Number(key));
        if (payment?.status !== 'PENDING' || upiOf(payment)?.sent_at !== null) return null;
        return (await this.database.now()) < expiryOf(payment) ? payment : null;
      },
      send: { name: 'payments.send_collect', call: (payment) => this.send(payment) },
    });
  }

  private async send(payment: Collection): Promise<OutsideAnswer<Decide>> {
    const { times } = this.config;
    const mandate = await this.mandates.facts(payment.tenant, payment.mandate_id ?? 0);
    const { mandates } = this.providers.of(payment.provider_name);
    const vpa = payment.upi?.vpa;
    if (!mandate || !mandates || vpa == null)
      throw new Error(`payment ${payment.id} does not authorise a mandate by collect`);
    const registration = await this.registrations.of(payment, mandate, times.fromCollectMs);
    const answer = await mandates.authoriseByCollect(registration, vpa);
    return this.calls.read(payment, 'authorise_by_collect', collectAnswered(answer, times));
  }
}
