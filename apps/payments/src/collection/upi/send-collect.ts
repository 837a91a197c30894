import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import type { Payment } from '../../payment/payment.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { collectAnswered, UpiRequest, type Decide, type UpiCall } from './upi-request.ts';

/**
 * `payment.send_collect`: all orders are submitted, so the collect request goes to the investor's UPI app. As for a URI: records the
 * intent, calls the provider with our reference as the key, records the outcome. A retry after a lost answer does not ask the
 * investor twice.
 */
@Injectable()
@HandlesDue('payment.send_collect')
export class SendCollect {
  constructor(
    private readonly request: UpiRequest,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly config: PaymentsConfig,
  ) {}

  handle(work: DueWork): Promise<DueResult> {
    return pursue(this.outsideCall, work);
  }

  get outsideCall(): UpiCall {
    return this.request.callOf({
      load: (work) => this.request.intend(work, ({ collect_sent_at }) => collect_sent_at === null),
      send: { name: 'payments.send_collect', call: (payment) => this.send(payment) },
    });
  }

  private async send(payment: Payment): Promise<OutsideAnswer<Decide>> {
    if (payment.upi_vpa === null) throw new Error(`payment ${payment.id} is a collect without a VPA`);
    const { times } = this.config;
    const asked = await this.toProvider.of(payment, times.fromCollectMs);
    const answer = await this.providers.of(payment.provider_name).sendCollect(asked, payment.upi_vpa);
    return this.request.read(payment, 'send_collect', collectAnswered(answer, times));
  }
}
