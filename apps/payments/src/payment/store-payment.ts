import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type { CreatedPaymentDto, CreatePaymentRequest, OrderName } from '@fundrail/contracts';
import { eventsOf } from '@fundrail/messaging';
import { brokenConstraint, isKeyTakenOver } from '@fundrail/service-kit/db';
import { completionOf, type Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { Claimed } from './claim-orders.ts';
import { CreationInserts } from './creation-inserts.ts';
import { ID_TAKEN, ORDER_TAKEN, SOURCE_REF_TAKEN } from './payment-creation.repository.ts';
import { CheckoutAnswers } from './checkout-answers.ts';
import type { PaymentTerms, PayingAccount } from './payment-terms.ts';
import { newPayment, type Flow, type NewShare } from './new-payment.ts';
import { toPayment, type Payment } from './payment.ts';

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
  readonly payment: Payment;
  /** Incomplete if `needsProvider`. */
  readonly answer: CreatedPaymentDto;
}

/** Whether the answer to the creation needs the provider's answer (PAY-12). */
export function needsProvider(flow: Flow): boolean {
  return flow.kind === 'checkout' && flow.sdk;
}

/** The id is void or has a payment already: this request must not release its claim. */
class IdTaken extends ApiError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'The request took too long and was cancelled; send it again', [], 1);
  }
}

/** Whether a failed creation must release its claim (`ours`), or the claim belongs to another request now. */
export function claimOwner(error: unknown): 'ours' | 'not ours' {
  return isKeyTakenOver(error) || error instanceof IdTaken ? 'not ours' : 'ours';
}

/** The third step of the creation: writes everything in one statement. */
@Injectable()
export class StorePayment {
  constructor(
    private readonly inserts: CreationInserts,
    private readonly answers: CheckoutAnswers,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when the id is taken, 400 and 409 when a constraint of the database refuses it; then nothing is written. */
  async execute(claimed: ClaimedPayment, now: Date): Promise<StoredPayment> {
    const rows = this.rowsOf(claimed, now);
    try {
      await this.inserts.insert(rows);
    } catch (error) {
      throw refusalOf(error);
    }
    return rows;
  }

  private rowsOf({ id, caller, request, terms, account, claimed }: ClaimedPayment, now: Date) {
    const { tenant } = caller;
    const { provider_name, payment_postback_url, flow } = terms;
    const orders = claimed.orders.map(({ id: order_id, old_id, state, sequence }) => ({
      tenant,
      old_id,
      order_id,
      state,
      sequence,
    }));
    const given = {
      id,
      tenant,
      from_bank_account_id: account.bank_account_id,
      bank_code: account.bank_code,
      mf_investment_account: claimed.mf_investment_account,
      provider_name,
      payment_postback_url,
      source_ref_id: request.source_ref_id ?? null,
    };
    const named = withNames(claimed.orders, request.display_names ?? []);
    const decision = newPayment({ ...given, orders: named }, flow, now, this.config.times);
    const [event] = eventsOf({ decision, before: null, aggregateId: String(id), toObject: toPayment, now });
    if (!event) throw new Error('a creation must have one event');
    const answer = this.answers.created(decision.row);
    // An incomplete answer must not complete the key.
    const key = needsProvider(flow) ? null : caller.idempotency;
    return {
      payment: decision.row,
      orders,
      event,
      completion: completionOf(key, answer),
      answer,
    };
  }
}

/** The claimed orders with the client's names for them. */
function withNames(orders: Claimed['orders'], names: readonly OrderName[]): NewShare[] {
  const nameOf = new Map(names.map(({ amc_order_id, display_name }) => [amc_order_id, display_name]));
  return orders.map((order) => ({ ...order, display_name: nameOf.get(order.old_id) }));
}

/** Turns a broken constraint of the database into the error for the client. */
export function refusalOf(error: unknown): unknown {
  switch (brokenConstraint(error)) {
    case ID_TAKEN:
      return new IdTaken();
    case SOURCE_REF_TAKEN:
      return new ValidationFailed([{ field: 'source_ref_id', message: 'should be unique' }]);
    case ORDER_TAKEN:
      return new ApiError('PAYMENT_ALREADY_EXISTS');
    default:
      return error;
  }
}
