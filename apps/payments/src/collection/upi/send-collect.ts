import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import type { Collection, Decide } from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { collectAnswered, SendUpiRequest, type UpiCall } from './send-upi-request.ts';

/**
 * `payment.send_collect`: all orders are submitted, so the collect request goes to the investor's UPI app. As for a URI: records the
 * intent, calls the provider with our reference as the key, records the outcome. A retry after a lost answer does not ask the
 * investor twice.
 */
@Injectable()
@HandlesDue('payment.send_collect')
export class SendCollect {
  constructor(
    private readonly request: SendUpiRequest,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly config: PaymentsConfig,
  ) {}

  handle(work: DueWork): Promise<DueResult> {
    return pursue(this.outsideCall, work);
  }

  get outsideCall(): UpiCall {
    return this.request.callOf({
      load: (work) => this.request.intend(work),
      send: { name: 'payments.send_collect', call: (payment) => this.send(payment) },
    });
  }

  private async send(payment: Collection): Promise<OutsideAnswer<Decide>> {
    const vpa = payment.upi?.vpa;
    if (vpa == null) throw new Error(`payment ${payment.id} is a collect without a VPA`);
    const { times } = this.config;
    const asked = await this.toProvider.of(payment, times.fromCollectMs);
    const answer = await this.providers.of(payment.provider_name).sendCollect(asked, vpa);
    return this.request.read(payment, 'send_collect', collectAnswered(answer, times));
  }
}
