import { Decimal, type CreatedPaymentDto, type CreatePaymentRequest } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { Claims } from '../payment/claims.ts';
import { OpenPayment } from '../payment/open-payment.ts';
import { StartSdkCheckout } from './checkout/start-sdk-checkout.ts';
import { collectionOf } from './collection.repository.ts';
import { FindTerms } from './payment-terms.ts';
import { needsProvider, StorePayment } from './store-payment.ts';

/** Creates a payment for purchase orders: claims the orders, and writes everything in one statement. */
@Injectable()
export class CreatePayment {
  constructor(
    private readonly terms: FindTerms,
    private readonly open: OpenPayment,
    private readonly claims: Claims,
    private readonly store: StorePayment,
    private readonly sdk: StartSdkCheckout,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError`: 400 with the field, 409 with the claim's reason, 422 above a limit of UPI, 503 when another service gave no answer. */
  async execute(caller: Caller, request: CreatePaymentRequest): Promise<CreatedPaymentDto> {
    const terms = await this.terms.execute(caller.tenant, request);
    const { tenant } = caller;
    const investor_profile = terms.payer?.investor_profile ?? null;
    return this.open.forCaller(caller, {
      held: { tenant, payment_type: 'NETBANKING', mandate_id: null },
      // Business time costs a round trip in the sandbox, so it runs in parallel with the claim.
      claim: (payment_id) =>
        Promise.all([
          this.claims.orders({ tenant, payment_id, amc_order_ids: request.amc_order_ids, investor_profile }),
          this.database.now(),
        ]),
      store: async ([claimed, now], id) => {
        const amount = Decimal.sum(claimed.orders.map((order) => order.amount));
        const account =
          terms.payer ?? (await this.terms.payoutAccount(tenant, claimed.mf_investment_account));
        const asked = { id, tenant, from_bank_account_id: account.bank_account_id, amount };
        const limited = await this.terms.limited(terms, asked, now);
        const input = { id, caller, request, terms: limited, account, claimed };
        const { payment, answer } = await this.store.execute(input, now);
        await passFaultPoint('payments.created');
        return needsProvider(limited.flow) ? this.sdk.execute(caller, payment) : answer;
      },
      // It died during the provider's call: any other creation commits payment and answer together.
      resume: async (earlier) => this.sdk.execute(caller, await collectionOf(this.database, earlier)),
    });
  }
}
