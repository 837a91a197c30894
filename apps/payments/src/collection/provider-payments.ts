import { toContact } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { ProviderPayment } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import { expiryOf, type Collection } from './collection.ts';

/** The provider's limit is later than ours, so that an unpaid payment expires here first. */
export const PROVIDER_MARGIN_MS = 60_000;
const NO_CONTACT = { email: null, mobile: null };

/** Builds the payments that are sent to providers. */
@Injectable()
export class ProviderPayments {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly providers: PaymentProviders,
    private readonly database: Database,
  ) {}

  /** The investor must pay within `withinMs` from now and before the payment expires. Throws 503 when identity does not answer. */
  async of(payment: Collection, withinMs: number): Promise<ProviderPayment> {
    const account = await this.facts.bankAccount(payment.tenant, payment.from_bank_account_id);
    const { needsContact } = this.providers.of(payment.provider_name);
    const now = await this.database.now();
    const limit = Math.min(expiryOf(payment).getTime(), now.getTime() + withinMs) + PROVIDER_MARGIN_MS;
    return {
      reference: paymentReference(payment.id),
      payment_id: payment.id,
      tenant: payment.tenant,
      amount: payment.amount,
      currency: 'INR',
      payee_name: (await this.facts.tenant(payment.tenant)).settings.operator_name,
      payer: account && {
        account_number: account.account_number,
        ifsc_code: account.ifsc_code,
        name: account.primary_account_holder_name,
      },
      // Otherwise a call to identity is saved.
      contact: needsContact ? await this.contactOf(payment) : NO_CONTACT,
      browser: null,
      expires_at: new Date(limit),
    };
  }

  /** The investment account's e-mail, and mobile with country code. */
  async contactOf({ tenant, request }: Collection): Promise<ProviderPayment['contact']> {
    const account = request?.mf_investment_account ?? null;
    if (account === null) return NO_CONTACT;
    return toContact((await this.facts.investmentAccount(tenant, account)).contacts);
  }
}
