import {
  GATEWAY_PROVIDERS,
  postbackUrlFault,
  ValidationFailed,
  type CreatePaymentRequest,
  type ProviderName,
  type TenantFacts,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import { InvestorFacts } from '../outside/investor-facts.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { PaymentFlow } from './new-payment.ts';
import { collectRefusal, withinUpiLimit } from './upi/upi-policies.ts';

const NOT_YET = 'is not available yet';

/** The bank account that pays. */
export interface PayingAccount {
  readonly bank_account_id: number;
  /** Null when identity no longer has the account. */
  readonly bank_code: string | null;
}

/** A request, completed with the tenant's settings. */
export interface PaymentTerms {
  readonly flow: PaymentFlow;
  readonly provider_name: ProviderName;
  readonly payment_postback_url: string;
  /** Null means the investment account's payout bank account. */
  readonly payer: (PayingAccount & { readonly investor_profile: string }) | null;
  /** What the tenant chose within policies. */
  readonly policies: TenantFacts['settings']['policies'];
}

/** Checks flow, provider, postback address and bank account of a request, before orders are claimed. */
@Injectable()
export class FindTerms {
  constructor(
    private readonly facts: InvestorFacts,
    private readonly providers: PaymentProviders,
    private readonly config: PaymentsConfig,
    private readonly database: Database,
  ) {}

  /** Throws `ValidationFailed` with the field, and 422 UPI_COLLECT_DISABLED. */
  async execute(tenant: string, request: CreatePaymentRequest): Promise<PaymentTerms> {
    const flow = await this.flow(tenant, request);
    return {
      flow,
      provider_name: await this.provider(tenant, request, flow),
      payment_postback_url: await this.postback(tenant, request),
      payer: await this.payer(tenant, request),
      policies: (await this.facts.tenant(tenant)).settings.policies,
    };
  }

  /** The account that pays when the request has none. Throws 400 when the investment account has no payout account. */
  async payoutAccount(tenant: string, investmentAccount: string): Promise<PayingAccount> {
    const { payout_bank_account_id: id } = await this.facts.investmentAccount(tenant, investmentAccount);
    if (id !== null)
      return {
        bank_account_id: id,
        bank_code: (await this.facts.bankAccount(tenant, id))?.bank_code ?? null,
      };
    throw new ValidationFailed([
      { field: 'bank_account_id', message: 'is required: the investment account has no payout bank account' },
    ]);
  }

  /** The terms once account and amount are known (FLOW-13, FLOW-14). Throws the 422 of a limit for a payment by UPI. */
  limited(
    terms: PaymentTerms,
    asked: Parameters<typeof withinUpiLimit>[2],
    now: Date,
  ): Promise<PaymentTerms> {
    return withinUpiLimit({ db: this.database, times: this.config.times }, terms, asked, now);
  }

  private async flow(tenant: string, { upi, method }: CreatePaymentRequest): Promise<PaymentFlow> {
    if (upi?.type === 'uri') return { kind: 'uri', method: 'UPI' };
    const { settings } = await this.facts.tenant(tenant);
    if (!upi)
      return {
        kind: 'checkout',
        method: method ?? null,
        sdk: settings.sdk_options_enabled,
      };
    const refusal = collectRefusal(settings, 'api', await this.database.now());
    if (refusal) throw refusal;
    return { kind: 'collect', method: 'UPI', vpa: upi.vpa ?? '' };
  }

  /**
   * The provider of the request. Default: for UPI the tenant's provider, for page and SDK the one with a checkout. The tenant's
   * provider or the order gateway, named for a page that it does not have, means the default too (PAY-10).
   */
  private async provider(
    tenant: string,
    request: CreatePaymentRequest,
    flow: PaymentFlow,
  ): Promise<ProviderName> {
    const { payment_provider } = (await this.facts.tenant(tenant)).settings;
    const withPage = this.providers.all.find(({ checkout }) => checkout)?.name;
    const byPage = flow.kind === 'checkout';
    const name = request.provider_name ?? (byPage ? withPage : payment_provider);
    const refuse = (message: string) => new ValidationFailed([{ field: 'provider_name', message }]);
    if (!name || !this.providers.has(name)) throw refuse(NOT_YET);
    if (!byPage || this.providers.of(name).checkout) return name;
    if (withPage && [payment_provider, ...GATEWAY_PROVIDERS].includes(name)) return withPage;
    throw refuse('does not support checkout: omit it, or use `upi`');
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
    const { old_id: bank_account_id, bank_code, profile: investor_profile } = account;
    return { bank_account_id, bank_code, investor_profile };
  }
}
