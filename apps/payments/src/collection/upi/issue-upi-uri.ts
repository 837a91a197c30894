import { paymentReference } from '@fundrail/providers';
import { HandlesDue, pursue } from '@fundrail/service-kit/due';
import type { DueResult, DueWork, OutsideAnswer } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { issueUri, type Collection, type Decide } from '../collection.ts';
import { ProviderPayments } from '../provider-payments.ts';
import { unlessEnded, SendUpiRequest, type UpiCall } from './send-upi-request.ts';
import { upiUriFault } from './upi-uri.ts';

/**
 * `payment.issue_uri`: all orders are submitted, so the investor may pay. Records the intent, calls the provider with our reference
 * as the key, records the outcome.
 */
@Injectable()
@HandlesDue('payment.issue_uri')
export class IssueUpiUri {
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
      send: { name: 'payments.issue_uri', call: (payment) => this.send(payment) },
    });
  }

  private async send(payment: Collection): Promise<OutsideAnswer<Decide>> {
    const { times } = this.config;
    const asked = await this.toProvider.of(payment, times.fromUriMs);
    const provider = this.providers.of(payment.provider_name);
    const answer = await provider.issueUpiUri(asked);
    if (answer.kind !== 'yes') return this.request.read(payment, 'issue_uri', answer);
    const { uri } = answer.value;
    const { amount, payee_name } = asked;
    const tr = provider.drawsTr ? null : paymentReference(payment.id);
    const fault = upiUriFault(uri, { tr, amount, payee_name });
    const decide: Decide = (row, now) => unlessEnded(row, now, () => issueUri(row, uri, now, times));
    return this.request.read(
      payment,
      'issue_uri',
      fault
        ? { kind: 'unknown', why: 'not_understood', detail: `the URI ${fault}` }
        : { kind: 'yes', value: decide },
    );
  }
}
