import type { MandateFacts } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import type { MandateRegistration } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import { expiryOf, type Collection } from '../collection.ts';
import { PROVIDER_MARGIN_MS } from '../provider-payments.ts';

/** Builds the mandate registrations that are sent to providers. */
@Injectable()
export class Registrations {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly database: Database,
  ) {}

  /** The investor must authorise within `withinMs` from now and before the payment expires. Throws 503 when identity does not answer. */
  async of(payment: Collection, mandate: MandateFacts, withinMs: number): Promise<MandateRegistration> {
    const { tenant } = payment;
    const account = await this.facts.bankAccount(tenant, mandate.bank_account_id);
    if (!account) throw new Error(`mandate ${mandate.id} is of a bank account that identity does not have`);
    const now = await this.database.now();
    const limit = Math.min(expiryOf(payment).getTime(), now.getTime() + withinMs) + PROVIDER_MARGIN_MS;
    return {
      reference: paymentReference(payment.id),
      payment_id: payment.id,
      mandate_id: mandate.id,
      tenant,
      mandate_ref: mandate.mandate_ref,
      mandate_type: mandate.mandate_type,
      payee_name: (await this.facts.tenant(tenant)).settings.operator_name,
      limit: mandate.mandate_limit,
      valid_from: mandate.valid_from,
      valid_to: mandate.valid_to,
      payer: {
        account_number: account.account_number,
        ifsc_code: account.ifsc_code,
        name: account.primary_account_holder_name,
        account_type: account.type,
      },
      contact: await this.facts.contact(tenant, mandate.investor_profile),
      expires_at: new Date(limit),
    };
  }
}
