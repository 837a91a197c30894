import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentsConfig } from '../config.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { issueUri } from './payment.ts';
import type { Payment } from './payment.ts';
import { ProviderPayments } from './provider-payments.ts';
import { paymentReference } from './references.ts';
import { readAnswer, unlessEnded, UpiRequest } from './upi-request.ts';
import type { Reading } from './upi-request.ts';
import { upiUriFault } from './upi-uri.ts';

/**
 * `payment.issue_uri`: all orders are submitted, so the investor may be asked for the money. Intent, call with our reference
 * as its key, outcome. Also how a payment that the provider says it never heard of is sent again.
 */
@Injectable()
@HandlesDue('payment.issue_uri')
export class IssueUpiUri implements DueHandler {
  readonly kind = 'payment.issue_uri';

  constructor(
    private readonly request: UpiRequest,
    private readonly providers: PaymentProviders,
    private readonly toProvider: ProviderPayments,
    private readonly config: PaymentsConfig,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await this.request.intend({ tenant: work.tenant, id: Number(work.key) });
    if (payment?.upi_uri !== null) return 'done';
    await passFaultPoint('payments.uri_requested');
    return this.send(payment);
  }

  /** Asks the provider for the URI, again under the same key when it was asked before. */
  async send(payment: Payment): Promise<DueResult> {
    const asked = await this.toProvider.of(payment, this.config.times.fromUriMs);
    const provider = this.providers.of(payment.provider_name);
    const answer = await provider.issueUpiUri(asked);
    await passFaultPoint('payments.uri_answered');
    const reading = readAnswer(answer, ({ uri }) => this.read(payment, uri, provider.drawsTr));
    const result = await this.request.conclude(payment, reading);
    await passFaultPoint('payments.uri_issued');
    return result;
  }

  private read(payment: Payment, uri: string, drawsTr: boolean): Reading {
    const tr = drawsTr ? null : paymentReference(payment.id);
    const fault = upiUriFault(uri, { tr, amount: payment.amount });
    if (fault) return { why: `the URI ${fault}` };
    const { times } = this.config;
    return { decide: (row, now) => unlessEnded(row, now, () => issueUri(row, uri, now, times)) };
  }
}
