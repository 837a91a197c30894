import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { collectSent } from './payment.ts';
import type { Payment } from './payment.ts';
import { ProviderPayments } from './provider-payments.ts';
import { readAnswer, unlessEnded, UpiRequest } from './upi-request.ts';

/**
 * `payment.send_collect`: all orders are submitted, so the collect request goes to the investor's UPI app. As for a URI: records the
 * intent, calls the provider with our reference as the key, records the outcome. A retry after a lost answer does not ask the
 * investor twice.
 */
@Injectable()
@HandlesDue('payment.send_collect')
export class SendCollect implements DueHandler {
  readonly kind = 'payment.send_collect';

  constructor(
    private readonly request: UpiRequest,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly config: PaymentsConfig,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await this.request.intend({ tenant: work.tenant, id: Number(work.key) });
    if (payment?.collect_sent_at !== null) return 'done';
    await passFaultPoint('payments.collect_requested');
    return this.send(payment);
  }

  /** Sends the request; a resend has the same key. */
  async send(payment: Payment): Promise<DueResult> {
    if (payment.upi_vpa === null) throw new Error(`payment ${payment.id} is a collect without a VPA`);
    const { times } = this.config;
    const asked = await this.toProvider.of(payment, times.fromCollectMs);
    const answer = await this.providers.of(payment.provider_name).sendCollect(asked, payment.upi_vpa);
    await passFaultPoint('payments.collect_answered');
    const reading = readAnswer(answer, () => ({
      decide: (row, now) => unlessEnded(row, now, () => collectSent(row, now, times)),
    }));
    const result = await this.request.conclude(payment, 'send_collect', reading);
    await passFaultPoint('payments.collect_sent');
    return result;
  }
}
