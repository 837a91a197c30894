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
 * `payment.issue_uri`: all orders are submitted, so the investor may pay. Records the intent, calls the provider with our reference
 * as the key, records the outcome. `send` also resends a payment that the provider does not know.
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

  /** Requests the URI from the provider; a resend has the same key. */
  async send(payment: Payment): Promise<DueResult> {
    const asked = await this.toProvider.of(payment, this.config.times.fromUriMs);
    const provider = this.providers.of(payment.provider_name);
    const answer = await provider.issueUpiUri(asked);
    await passFaultPoint('payments.uri_answered');
    const reading = readAnswer(answer, ({ uri }) => {
      const tr = provider.drawsTr ? null : paymentReference(payment.id);
      const { amount, payee_name } = asked;
      return this.read(uri, upiUriFault(uri, { tr, amount, payee_name }));
    });
    const result = await this.request.conclude(payment, 'issue_uri', reading);
    await passFaultPoint('payments.uri_issued');
    return result;
  }

  private read(uri: string, fault: string | null): Reading {
    if (fault) return { why: `the URI ${fault}` };
    const { times } = this.config;
    return { decide: (row, now) => unlessEnded(row, now, () => issueUri(row, uri, now, times)) };
  }
}
