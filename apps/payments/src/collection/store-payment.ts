import type { CreatedPaymentDto, CreatePaymentRequest, OrderName } from '@fundrail/contracts';
import { completionOf, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { Claimed } from '../payment/claim-orders.ts';
import { CheckoutAnswers } from './checkout/checkout-answers.ts';
import type { Collection } from './collection.ts';
import { createdRows } from './created-rows.ts';
import { CreationInserts } from './creation-inserts.ts';
import { newPayment, type NewShare, type PaymentFlow } from './new-payment.ts';
import type { PayingAccount, PaymentTerms } from './payment-terms.ts';

/** A payment whose orders are claimed. */
interface ClaimedPayment {
  readonly id: number;
  readonly caller: Caller;
  readonly request: CreatePaymentRequest;
  readonly terms: PaymentTerms;
  readonly account: PayingAccount;
  readonly claimed: Claimed;
}

interface StoredPayment {
  readonly payment: Collection;
  /** Incomplete if `needsProvider`. */
  readonly answer: CreatedPaymentDto;
}

/** Whether the answer to the creation needs the provider's answer (PAY-12). */
export function needsProvider(flow: PaymentFlow): boolean {
  return flow.kind === 'checkout' && flow.sdk;
}

/** The last step of a payment's creation: writes everything in one statement, with the creations that arrive together. */
@Injectable()
export class StorePayment {
  constructor(
    private readonly inserts: CreationInserts,
    private readonly answers: CheckoutAnswers,
    private readonly config: PaymentsConfig,
  ) {}

  /** Rejects with the constraint that refuses it; then nothing is written. */
  async execute(given: ClaimedPayment, now: Date): Promise<StoredPayment> {
    const { id, caller, request, terms, account, claimed } = given;
    const { provider_name, payment_postback_url: postback_url, flow } = terms;
    const input = {
      ...{ id, tenant: caller.tenant, provider_name, postback_url },
      from_bank_account_id: account.bank_account_id,
      bank_code: account.bank_code,
      mf_investment_account: claimed.mf_investment_account,
      source_ref_id: request.source_ref_id ?? null,
      orders: withNames(claimed.orders, request.display_names ?? []),
    };
    const decision = newPayment(input, flow, now, this.config.times);
    const answer = this.answers.created(decision.step.row);
    // An incomplete answer must not complete the key.
    const completion = completionOf(needsProvider(flow) ? null : caller.idempotency, answer);
    const rows = createdRows(decision, claimed.orders, completion, now);
    await this.inserts.insert(rows);
    return { payment: rows.payment, answer };
  }
}

/** The claimed orders with the client's names for them. */
function withNames(orders: Claimed['orders'], names: readonly OrderName[]): NewShare[] {
  const nameOf = new Map(names.map(({ amc_order_id, display_name }) => [amc_order_id, display_name]));
  return orders.map((order) => ({ ...order, display_name: nameOf.get(order.old_id) }));
}
