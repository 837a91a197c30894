import { ApiError, type CreatedPaymentDto, type CreatePaymentRequest } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { ClaimOrders, type Claimed } from './claim-orders.ts';
import { PaymentIds } from './payment-ids.ts';
import { FindTerms, type PaymentTerms } from './payment-terms.ts';
import { findPayment } from './payment.repository.ts';
import { StartSdkCheckout } from './start-sdk-checkout.ts';
import { needsProvider, StorePayment, claimOwner } from './store-payment.ts';

/** A creation whose id is drawn. */
interface StartedCreation {
  readonly id: number;
  readonly caller: Caller;
  readonly request: CreatePaymentRequest;
  readonly terms: PaymentTerms;
}

/** Creates a payment: draws an id, claims the orders, writes everything in one statement, and gives the id up when a step fails (CLAIM-1 to CLAIM-7). */
@Injectable()
export class CreatePayment {
  constructor(
    private readonly terms: FindTerms,
    private readonly ids: PaymentIds,
    private readonly claims: ClaimOrders,
    private readonly store: StorePayment,
    private readonly sdk: StartSdkCheckout,
    private readonly database: Database,
  ) {}

  /** Throws `ApiError`: 400 with the field, 409 with the claim's reason, 503 when another service gave no answer. */
  async execute(caller: Caller, request: CreatePaymentRequest): Promise<CreatedPaymentDto> {
    const terms = await this.terms.execute(caller.tenant, request);
    const { id, isNew } = await this.ids.drawFor(caller);
    // The payment exists already if a request with this key died during the provider's call: any other creation commits payment
    // and answer together.
    const earlier = isNew ? null : await findPayment(this.database, caller.tenant, id);
    if (earlier) return this.sdk.execute(caller, earlier);
    const started = { id, caller, request, terms };
    await passFaultPoint('payments.id_drawn');
    // Business time costs a round trip in the sandbox, so it runs in parallel with the claim.
    const [claimed, now] = await Promise.all([this.claim(started), this.database.now()]);
    await passFaultPoint('payments.claimed');
    return this.insert(started, claimed, now);
  }

  private async claim({ id, caller, request, terms }: StartedCreation): Promise<Claimed> {
    const { tenant } = caller;
    const investor_profile = terms.payer?.investor_profile ?? null;
    try {
      return await this.claims.execute({
        tenant,
        payment_id: id,
        amc_order_ids: request.amc_order_ids,
        investor_profile,
      });
    } catch (error) {
      // A refusal holds nothing; without an answer the claim may exist.
      if (!(error instanceof ApiError) || error.status >= 500) await this.giveUp(tenant, id);
      throw error;
    }
  }

  private async insert(started: StartedCreation, claimed: Claimed, now: Date): Promise<CreatedPaymentDto> {
    const { id, caller, request, terms } = started;
    try {
      const account =
        terms.payer ?? (await this.terms.payoutAccount(caller.tenant, claimed.mf_investment_account));
      const stored = await this.store.execute({ id, caller, request, terms, account, claimed }, now);
      await passFaultPoint('payments.created');
      return needsProvider(terms.flow) ? await this.sdk.execute(caller, stored.payment) : stored.answer;
    } catch (error) {
      if (claimOwner(error) === 'ours') await this.giveUp(caller.tenant, id);
      throw error;
    }
  }

  private giveUp(tenant: string, id: number): Promise<void> {
    return this.ids.giveUp({ id, tenant, payment_type: 'NETBANKING', mandate_id: null });
  }
}
