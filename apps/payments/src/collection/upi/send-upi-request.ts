import { paymentReference } from '@fundrail/providers';
import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { issueUri, type Collection, type Decide } from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { PayeeHandles } from './payee-handles.ts';
import { collectAnswered, unlessEnded, UpiCalls, type UpiCall } from './upi-calls.ts';
import { upiUriFault } from './upi-uri.ts';

/**
 * All orders are submitted, so the investor may pay: by a URI, or by a collect request in the investor's UPI app. Records the intent, calls
 * the provider with our reference as the key, records the outcome. A retry after a lost answer does not ask the investor twice.
 */
@Injectable()
export class SendUpiRequest {
  constructor(
    private readonly calls: UpiCalls,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly handles: PayeeHandles,
    private readonly config: PaymentsConfig,
  ) {}

  @HandlesDue('payment.issue_uri')
  handleUri(work: DueWork): Promise<DueResult> {
    return pursue(this.callFor('uri'), work);
  }

  @HandlesDue('payment.send_collect')
  handleCollect(work: DueWork): Promise<DueResult> {
    return pursue(this.callFor('collect'), work);
  }

  callFor(type: 'uri' | 'collect'): UpiCall {
    return this.calls.callOf({
      load: (work) => this.calls.intend(work),
      send:
        type === 'uri'
          ? { name: 'payments.issue_uri', call: (payment) => this.issueUri(payment) }
          : { name: 'payments.send_collect', call: (payment) => this.sendCollect(payment) },
    });
  }

  private async issueUri(payment: Collection): Promise<OutsideAnswer<Decide>> {
    const { times } = this.config;
    const asked = await this.toProvider.of(payment, times.fromUriMs);
    const provider = this.providers.of(payment.provider_name);
    const issued = await provider.issueUpiUri(asked);
    const answer = await this.handles.checked(payment.tenant, issued);
    if (answer.kind !== 'yes') return this.calls.read(payment, 'issue_uri', answer);
    const { uri } = answer.value;
    const { amount, payee_name } = asked;
    const tr = provider.drawsTr ? null : paymentReference(payment.id);
    const fault = upiUriFault(uri, { tr, amount, payee_name });
    const decide: Decide = (row, now) => unlessEnded(row, now, () => issueUri(row, uri, now, times));
    return this.calls.read(
      payment,
      'issue_uri',
      fault
        ? { kind: 'unknown', why: 'not_understood', detail: `the URI ${fault}` }
        : { kind: 'yes', value: decide },
    );
  }

  private async sendCollect(payment: Collection): Promise<OutsideAnswer<Decide>> {
    const vpa = payment.upi?.vpa;
    if (vpa == null) throw new Error(`payment ${payment.id} is a collect without a VPA`);
    const { times } = this.config;
    const asked = await this.toProvider.of(payment, times.fromCollectMs);
    const answer = await this.providers.of(payment.provider_name).sendCollect(asked, vpa);
    return this.calls.read(payment, 'send_collect', collectAnswered(answer, times));
  }
}
