import { postbackUrlFault, ValidationFailed } from '@fundrail/contracts';
import type { AuthoriseMandateRequest, MandateFacts } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../../config.ts';
import { InvestorFacts } from '../../outside/investor-facts.ts';
import { PaymentProviders } from '../../outside/payment-providers.ts';
import { Claims } from '../../payment/claims.ts';
import type { Flow } from '../new-payment.ts';
import { collectRefusal } from '../upi/upi-policies.ts';

/** A request to authorise, completed with the mandate and the tenant's settings. */
export interface AuthorisationTerms {
  readonly mandate: MandateFacts;
  readonly flow: Flow;
  /** Empty when no browser returns to the client. */
  readonly postback_url: string;
  readonly bank_code: string | null;
}

/** Checks a request before anything is started. */
@Injectable()
export class FindAuthorisationTerms {
  constructor(
    private readonly claims: Claims,
    private readonly facts: InvestorFacts,
    private readonly providers: PaymentProviders,
    private readonly config: PaymentsConfig,
    private readonly database: Database,
  ) {}

  /** Throws `ValidationFailed` naming the field, and 422 UPI_COLLECT_DISABLED. */
  async execute(tenant: string, request: AuthoriseMandateRequest): Promise<AuthorisationTerms> {
    const mandate = await this.claims.mandate(tenant, request.mandate_id);
    const flow = await this.flow(mandate, request);
    return {
      mandate,
      flow,
      postback_url: await this.postback(tenant, request, flow),
      bank_code: (await this.facts.bankAccount(tenant, mandate.bank_account_id))?.bank_code ?? null,
    };
  }

  /** Refuses an authorisation that the provider would refuse for want of the investor's e-mail address or mobile number. */
  private async checkReachable({ tenant, provider_name, investor_profile }: MandateFacts): Promise<void> {
    if (!this.providers.of(provider_name).needsContact) return;
    const { email, mobile } = await this.facts.contact(tenant, investor_profile);
    if (!email || !mobile)
      throw refusal(
        'mandate_id',
        `is of an investor without ${email ? 'a mobile number' : 'an e-mail address'}, which ${provider_name} requires`,
      );
  }

  private async flow(mandate: MandateFacts, { upi }: AuthoriseMandateRequest): Promise<Flow> {
    const { tenant, provider_name } = mandate;
    const { mandates } = this.providers.of(provider_name);
    if (!mandates) throw refusal('mandate_id', `is of ${provider_name}, which does not support mandates`);
    if (upi && mandate.mandate_type !== 'UPI') throw refusal('upi', 'is allowed for UPI mandates only');
    if (upi) await this.checkReachable(mandate);
    if (upi?.type === 'uri') return { kind: 'uri' };
    const { settings } = await this.facts.tenant(tenant);
    if (upi) {
      const refusal = collectRefusal(settings, 'api', await this.database.now());
      if (refusal) throw refusal;
      return { kind: 'collect', vpa: upi.vpa ?? '' };
    }
    if (mandate.mandate_type === 'E_MANDATE' && !mandates.checkout) {
      const others = this.providers.all.filter((one) => one.mandates?.checkout).map(({ name }) => name);
      const instead = others.length > 0 ? `: use ${others.join(' or ')}` : '';
      throw refusal(
        'mandate_id',
        `is an e-mandate of ${provider_name}, which does not support e-mandates${instead}`,
      );
    }
    return { kind: 'checkout', sdk: settings.sdk_options_enabled && mandates.checkout !== null };
  }

  private async postback(
    tenant: string,
    { payment_postback_url }: AuthoriseMandateRequest,
    flow: Flow,
  ): Promise<string> {
    const field = 'payment_postback_url';
    if (flow.kind !== 'checkout' && payment_postback_url == null) return '';
    const url = payment_postback_url ?? (await this.facts.tenant(tenant)).settings.default_postback_url;
    if (!url) throw refusal(field, 'is required: the tenant has no default_postback_url');
    const fault = postbackUrlFault(url, this.config.sandbox);
    if (fault) throw refusal(field, fault);
    return url;
  }
}

function refusal(field: string, message: string): ValidationFailed {
  return new ValidationFailed([{ field, message }]);
}
