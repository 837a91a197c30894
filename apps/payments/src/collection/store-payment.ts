import type { CreatedPaymentDto, CreatePaymentRequest, OrderName } from '@fundrail/contracts';
import { GroupedCalls } from '@fundrail/messaging';
import { Database, isLostDatabase } from '@fundrail/service-kit/db';
import { completionOf, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { Claimed } from '../payment/claims.ts';
import { CheckoutAnswers } from './checkout/checkout-answers.ts';
import { createdRows, insertCreated, type CreatedRows } from './collection.repository.ts';
import type { Collection } from './collection.ts';
import { newPayment, type NewShare, type PaymentFlow } from './new-payment.ts';
import type { PayingAccount, PaymentTerms } from './payment-terms.ts';

/** Most creations in one statement: more would not be faster, and an error in one would undo more of them. */
const MAX_PER_STATEMENT = 64;

/** The result of one creation: written, or refused with this error and not written at all. */
interface Written {
  readonly error: Error | null;
}
const WRITTEN: Written = { error: null };

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

/**
 * The last step of a payment's creation: writes everything in one statement, and creations that arrive together in one commit. When the
 * database refuses the group, each creation is written alone, so that only the faulty one is refused.
 */
@Injectable()
export class StorePayment {
  private readonly inserts = new GroupedCalls(
    (group: readonly CreatedRows[]) => this.write(group),
    MAX_PER_STATEMENT,
  );

  constructor(
    private readonly database: Database,
    private readonly answers: CheckoutAnswers,
    private readonly config: PaymentsConfig,
  ) {}

  /** Rejects with the constraint that refuses it; then nothing is written. After a lost connection it may or may not be written. */
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
    const { error } = await this.inserts.call(rows);
    if (error !== null) throw error;
    return { payment: rows.payment, answer };
  }

  private async write(group: readonly CreatedRows[]): Promise<readonly Written[]> {
    try {
      const uriIsDue = await insertCreated(this.database, group);
      this.database.signal('outbox');
      if (uriIsDue.size > 0) this.database.signal('due');
      return group.map(() => WRITTEN);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (group.length === 1 || isLostDatabase(error)) return group.map(() => ({ error }));
      const alone = await Promise.all(group.map((rows) => this.write([rows])));
      return alone.flat();
    }
  }
}

/** The claimed orders with the client's names for them. */
function withNames(orders: Claimed['orders'], names: readonly OrderName[]): NewShare[] {
  const nameOf = new Map(names.map(({ amc_order_id, display_name }) => [amc_order_id, display_name]));
  return orders.map((order) => ({ ...order, display_name: nameOf.get(order.old_id) }));
}
