import type { Answer, ProviderPayment } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue } from '@fundrail/service-kit/due';
import type { DueHandler, DueResult, DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PaymentsConfig } from '../config.ts';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { ChangePayment } from './change-payment.ts';
import { orderStates } from './order-state.repository.ts';
import { ordersChanged, sharesReady } from './orders-of-payment.ts';
import type { OrderStates } from './orders-of-payment.ts';
import { firstQuestion, issueUri, note, providerFailed, unchanged } from './payment.ts';
import type { Outcome, Payment } from './payment.ts';
import { paymentReference } from './references.ts';
import { upiUriFault } from './upi-uri.ts';

/** The provider's own limit lies behind ours, so that it is we who end a payment that nobody made. */
const PROVIDER_MARGIN_MS = 60_000;

/**
 * `payment.issue_uri`: all orders are submitted, so the investor may be asked for the money. Intent, call with our reference
 * as its key, outcome. Also how a payment that the provider says it never heard of is sent again.
 */
@Injectable()
@HandlesDue('payment.issue_uri')
export class IssueUpiUri implements DueHandler {
  readonly kind = 'payment.issue_uri';

  constructor(
    private readonly change: ChangePayment,
    private readonly providers: PaymentProviders,
    private readonly facts: InvestorFacts,
    private readonly config: PaymentsConfig,
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async handle(work: DueWork): Promise<DueResult> {
    const payment = await this.intend({ tenant: work.tenant, id: Number(work.key) });
    if (!payment?.uri_requested_at || payment.upi_uri !== null || payment.status !== 'PENDING') return 'done';
    await passFaultPoint('payments.uri_requested');
    return this.send(payment);
  }

  /** Asks the provider for the URI, again under the same key when it was asked before. */
  async send(payment: Payment): Promise<DueResult> {
    const answer = await this.providers.of(payment.provider_name).issueUpiUri(await this.toProvider(payment));
    await passFaultPoint('payments.uri_answered');
    const { why, decide } = this.reading(payment, answer);
    if (!decide) {
      this.log.warn('the provider issued no URI', { tenant: payment.tenant, payment_id: payment.id, why });
      return 'later';
    }
    await this.change.execute(payment, (row, tx) => decide(row, tx.now));
    await passFaultPoint('payments.uri_issued');
    return 'done';
  }

  private intend(key: { tenant: string; id: number }): Promise<Payment | null> {
    return this.change.execute(key, async (row, tx) => intended(row, await orderStates(tx, row), tx.now));
  }

  private reading(
    payment: Payment,
    answer: Answer<{ readonly uri: string }, Parameters<typeof providerFailed>[1]>,
  ) {
    switch (answer.kind) {
      case 'yes': {
        const { uri } = answer.value;
        const fault = upiUriFault(uri, { tr: paymentReference(payment.id), am: payment.amount.toFixed2() });
        return fault
          ? { why: `the URI ${fault}` }
          : { why: '', decide: (row: Payment, now: Date) => this.issued(row, uri, now) };
      }
      case 'no':
        return {
          why: '',
          decide: (row: Payment, now: Date) => providerFailed(row, answer.failure_code, now),
        };
      case 'not_found':
        return { why: 'not_found' };
      case 'unknown':
        return { why: `${answer.why}: ${answer.detail}` };
      default:
        return answer satisfies never;
    }
  }

  /** A payment that ended while the call was under way is closed at the provider, now that it knows of it. */
  private issued(row: Payment, uri: string, now: Date): Outcome {
    if (row.status !== 'FAILED') return issueUri(row, uri, now, this.config.times);
    return { ...unchanged(row), due: [firstQuestion(row, now)] };
  }

  private async toProvider(payment: Payment): Promise<ProviderPayment> {
    const account = await this.facts.bankAccount(payment.tenant, payment.from_bank_account_id);
    const now = await this.database.now();
    const limit =
      Math.min(payment.expires_at.getTime(), now.getTime() + this.config.times.fromUriMs) +
      PROVIDER_MARGIN_MS;
    return {
      reference: paymentReference(payment.id),
      payment_id: payment.id,
      tenant: payment.tenant,
      amount: payment.amount,
      currency: 'INR',
      payer: account && {
        account_number: account.account_number,
        ifsc_code: account.ifsc_code,
        name: account.primary_account_holder_name,
      },
      // Only a provider's own checkout is prefilled, and a URI has none.
      contact: { email: null, mobile: null },
      expires_at: new Date(limit),
    };
  }
}

/** Decided under the lock: still PENDING, still in time, still all submitted. An order that has ended meanwhile ends the payment. */
function intended(payment: Payment, states: OrderStates, now: Date): Outcome {
  if (payment.status !== 'PENDING' || payment.uri_requested_at || now >= payment.expires_at)
    return unchanged(payment);
  if (!sharesReady(payment.orders, states)) return ordersChanged(payment, states, now);
  return note(payment, 'request_uri', { uri_requested_at: now });
}
