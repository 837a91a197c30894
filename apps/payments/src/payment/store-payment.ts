import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type { CreatedPaymentDto, CreatePaymentRequest } from '@fundrail/contracts';
import { eventsOf } from '@fundrail/messaging';
import { brokenConstraint } from '@fundrail/service-kit/db';
import { completionOf } from '@fundrail/service-kit/http';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { Claimed } from './claim-orders.ts';
import { CreationInserts } from './creation-inserts.ts';
import { ID_TAKEN, ORDER_TAKEN, SOURCE_REF_TAKEN } from './payment-creation.repository.ts';
import { CheckoutAnswers } from './checkout-answers.ts';
import type { PaymentTerms, PayingAccount } from './payment-terms.ts';
import { newPayment } from './new-payment.ts';
import type { Flow } from './new-payment.ts';
import { toPayment } from './payment.ts';
import type { Payment } from './payment.ts';

/** A payment whose orders are claimed. */
export interface ClaimedPayment {
  readonly id: number;
  readonly caller: Caller;
  readonly request: CreatePaymentRequest;
  readonly terms: PaymentTerms;
  readonly account: PayingAccount;
  readonly claimed: Claimed;
}

export interface StoredPayment {
  readonly payment: Payment;
  /** Whole, unless `needsProvider`. */
  readonly answer: CreatedPaymentDto;
}

/** Whether the answer to the creation needs the provider's (contract §10 "Payments"). */
export function needsProvider(flow: Flow): boolean {
  return flow.kind === 'checkout' && flow.sdk;
}

/** The id is void, or has its payment already: this request must not touch the claim under it. */
class IdTaken extends ApiError {
  constructor() {
    super('SERVICE_UNAVAILABLE', 'The request took too long and was given up; send it again', [], 1);
  }
}

/** SQLSTATE of `complete_idempotency_key` when another request holds the key now: it goes on under the same id. */
const KEY_TAKEN_OVER = 'FR001';

/** After a creation that failed: is the claim ours to give up, or another's to keep or free? */
export function whoseClaim(error: unknown): 'ours' | 'not ours' {
  return isTakenOver(error) || error instanceof IdTaken ? 'not ours' : 'ours';
}

/** The database says it by its SQLSTATE, `Caller.answer` in its own words. */
function isTakenOver(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === 'IDEMPOTENCY_KEY_IN_USE';
  return error instanceof Error && Reflect.get(error, 'code') === KEY_TAKEN_OVER;
}

/** The third step of the creation: everything in one statement. */
@Injectable()
export class StorePayment {
  constructor(
    private readonly inserts: CreationInserts,
    private readonly answers: CheckoutAnswers,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 under an id that is taken, 400 and 409 for the database's own rules. Nothing is written then. */
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
    const decision = newPayment({ ...given, orders: claimed.orders }, flow, now, this.config.times);
    const [event] = eventsOf({ decision, before: null, aggregateId: String(id), toObject: toPayment, now });
    if (!event) throw new Error('a creation announces one event');
    const answer = this.answers.created(decision.row);
    // An answer that is not whole yet completes no key.
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

/** What the database's own rules refuse, as the client is told of it. */
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
