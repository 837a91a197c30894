import type { ProviderPayment } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { InvestorFacts, reachedBy } from '../outside/investor-facts.ts';
import { expiryOf } from './payment.ts';
import type { Payment } from './payment.ts';
import { paymentReference } from './references.ts';

/** The provider's own limit lies behind ours, so that it is we who end a payment that nobody made. */
export const PROVIDER_MARGIN_MS = 60_000;
const NOBODY = { email: null, mobile: null };

/** Our payments as providers are told of them. */
@Injectable()
export class ProviderPayments {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly database: Database,
  ) {}

  /** To be paid within `withinMs` from now, and within the payment's own time. Throws 503 when identity does not answer. */
  async of(payment: Payment, withinMs: number): Promise<ProviderPayment> {
    const account = await this.facts.bankAccount(payment.tenant, payment.from_bank_account_id);
    const now = await this.database.now();
    const limit = Math.min(expiryOf(payment).getTime(), now.getTime() + withinMs) + PROVIDER_MARGIN_MS;
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
      contact: await this.usualContactOf(payment),
      browser: null,
      expires_at: new Date(limit),
    };
  }

  /** GATEWAYPOA does not ask for it, and its payments are spared the question to identity. */
  usualContactOf(payment: Payment): Promise<ProviderPayment['contact']> {
    return payment.provider_name === 'SDKVENDOR' ? this.contactOf(payment) : Promise.resolve(NOBODY);
  }

  /** The investment account's e-mail and mobile, with its country code. */
  async contactOf({ tenant, mf_investment_account }: Payment): Promise<ProviderPayment['contact']> {
    if (mf_investment_account === null) return NOBODY;
    return reachedBy((await this.facts.investmentAccount(tenant, mf_investment_account)).contacts);
  }
}
