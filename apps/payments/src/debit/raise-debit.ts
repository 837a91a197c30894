import { ApiError, ValidationFailed } from '@fundrail/contracts';
import type { CreatedDebitDto, DebitDay, DebitMandateRequest, MandateFacts } from '@fundrail/contracts';
import type { Caller, IdempotencyKey } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { Claims, type Claimed } from '../payment/claims.ts';
import { OpenPayment } from '../payment/open-payment.ts';
import { PaymentIds } from '../payment/payment-ids.ts';
import type { Payment } from '../payment/payment.ts';
import { StoreDebit } from './store-debit.ts';

/** What operators chose about a tenant's debits within policies. */
export abstract class DebitChoices {
  /** The days on which an e-mandate is debited first; null without a choice. */
  abstract firstOn(tenant: string): Promise<DebitDay | null>;
}

/** The request of one debit of a mandate for one order, under a new id. */
interface DebitToRaise {
  readonly id: number;
  readonly tenant: string;
  readonly mandate_id: number;
  readonly old_id: number;
  /** The order's other id, when the caller knows both. */
  readonly order_id?: string;
  /** The client's key, which is completed with the debit. */
  readonly idempotency?: IdempotencyKey | null;
}

/**
 * Raises a debit (CLAIM-1, DEB-2): claims the order, gets the admission of mandates, and stores the payment. Used by a client's `/nach`
 * and for the installments of plans.
 */
@Injectable()
export class RaiseDebit {
  constructor(
    private readonly ids: PaymentIds,
    private readonly claims: Claims,
    private readonly open: OpenPayment,
    private readonly store: StoreDebit,
    private readonly choices: DebitChoices,
  ) {}

  /** `POST /nach`: a client debits a mandate for one order. The key is completed with the debit. Throws as `execute`. */
  async forCaller(
    caller: Caller,
    { mandate_id, amc_order_ids }: DebitMandateRequest,
  ): Promise<CreatedDebitDto> {
    const { id } = await this.ids.drawFor(caller);
    const { tenant, idempotency } = caller;
    await this.execute({ id, tenant, mandate_id, old_id: amc_order_ids[0] ?? 0, idempotency });
    return { id };
  }

  /**
   * Returns the new payment's status. Throws `ApiError`: 400 with the field, 409 with the reason of orders or mandates, 422
   * MANDATE_LIMIT_EXCEEDED, 503 without an answer.
   */
  async execute(request: DebitToRaise): Promise<Payment['status']> {
    const { id, tenant, mandate_id } = request;
    const mandate = await this.claims.mandate(tenant, mandate_id);
    return this.open.execute({
      held: { id, tenant, payment_type: 'NACH', mandate_id },
      isIdStored: true,
      claim: () => this.claim(request, mandate),
      store: (claimed) => this.admit(request, mandate, claimed),
    });
  }

  private async claim({ id, tenant, old_id }: DebitToRaise, mandate: MandateFacts): Promise<Claimed> {
    try {
      const { id: mandate_id, investor_profile } = mandate;
      const about = { tenant, payment_id: id, amc_order_ids: [old_id], investor_profile };
      return await this.claims.orders({ ...about, mandate_id });
    } catch (error) {
      throw aboutTheMandate(error);
    }
  }

  private async admit(
    request: DebitToRaise,
    { id: mandate_id, investor_profile, mandate_type }: MandateFacts,
    claimed: Claimed,
  ): Promise<Payment['status']> {
    const { id: payment_id, tenant, old_id, order_id, idempotency = null } = request;
    const [order] = claimed.orders;
    if (!order) throw new Error(`the claim of payment ${payment_id} has no order`);
    if (order_id !== undefined && order.id !== order_id)
      throw new ValidationFailed([{ field: 'order_id', message: `is not the order ${old_id}` }]);
    const first_on = mandate_type === 'E_MANDATE' ? await this.choices.firstOn(tenant) : null;
    const { mandate, debit_date } = await this.claims.debit({
      ...{ tenant, mandate_id, payment_id, old_id, investor_profile },
      amount: order.amount,
      mf_investment_account: claimed.mf_investment_account,
      ...(first_on && { first_on }),
    });
    await passFaultPoint('payments.debit_admitted');
    return this.store.execute({ id: payment_id, mandate, claimed, debit_date, idempotency });
  }
}

/** The claim reports another investor at `bank_account_id`, which a debit's request does not have: the error is moved to `mandate_id`. */
function aboutTheMandate(error: unknown): unknown {
  const isForeign =
    error instanceof ApiError && error.errors.some(({ field }) => field === 'bank_account_id');
  return isForeign
    ? new ValidationFailed([{ field: 'mandate_id', message: 'is of another investor than the order' }])
    : error;
}
