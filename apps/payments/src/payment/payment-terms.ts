import { postbackUrlFault, ValidationFailed } from '@fundrail/contracts';
import type { CreatePaymentRequest } from '@fundrail/contracts';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { ProviderName } from './payment.entity.ts';

const NOT_YET = 'is not available yet';

/** What a request comes to once the tenant's settings are known. */
export interface PaymentTerms {
  readonly provider_name: ProviderName;
  readonly payment_postback_url: string;
  /** Null: the investment account's payout bank account. */
  readonly payer: { readonly bank_account_id: number; readonly investor_profile: string } | null;
}

/** Which flow a request asks for. A flow that is built gets a line here and its own branch in the creation. */
export function unavailableFlow(request: CreatePaymentRequest): string | null {
  if (request.upi?.type === 'collect') return 'upi.type';
  return request.upi ? null : 'method';
}

/** Refuses what cannot be, before anything is claimed: a flow or provider that is not built, an address, a bank account. */
@Injectable()
export class FindTerms {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly providers: PaymentProviders,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws `ValidationFailed` naming the field. */
  async execute(tenant: string, request: CreatePaymentRequest): Promise<PaymentTerms> {
    const field = unavailableFlow(request);
    if (field) throw new ValidationFailed([{ field, message: NOT_YET }]);
    return {
      provider_name: await this.provider(tenant, request),
      payment_postback_url: await this.postback(tenant, request),
      payer: await this.payer(tenant, request),
    };
  }

  private async provider(tenant: string, request: CreatePaymentRequest): Promise<ProviderName> {
    const name = request.provider_name ?? (await this.facts.tenant(tenant)).settings.payment_provider;
    if (!this.providers.has(name)) throw new ValidationFailed([{ field: 'provider_name', message: NOT_YET }]);
    return name;
  }

  private async postback(tenant: string, request: CreatePaymentRequest): Promise<string> {
    const url =
      request.payment_postback_url ?? (await this.facts.tenant(tenant)).settings.default_postback_url;
    const fault = url
      ? postbackUrlFault(url, this.config.sandbox)
      : 'is required: the tenant has no default_postback_url';
    if (!url || fault)
      throw new ValidationFailed([{ field: 'payment_postback_url', message: fault ?? 'is required' }]);
    return url;
  }

  private async payer(tenant: string, request: CreatePaymentRequest): Promise<PaymentTerms['payer']> {
    if (request.bank_account_id == null) return null;
    const account = await this.facts.bankAccount(tenant, request.bank_account_id);
    if (!account)
      throw new ValidationFailed([
        { field: 'bank_account_id', message: 'is not a bank account of an investor of this tenant' },
      ]);
    return { bank_account_id: account.old_id, investor_profile: account.profile };
  }
}
