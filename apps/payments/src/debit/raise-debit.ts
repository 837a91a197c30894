import { ApiError, ValidationFailed, type MandateFacts } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { ClaimMandate } from '../authorisation/claim-mandate.ts';
import { passFaultPoint } from '../fault-points.ts';
import { ClaimOrders, type Claimed } from '../payment/claim-orders.ts';
import { PaymentIds } from '../payment/payment-ids.ts';
import type { Payment } from '../payment/payment.ts';
import { claimOwner } from '../payment/store-payment.ts';
import { StoreDebit } from './store-debit.ts';

/** The request of one debit of a mandate for one order, under a new id. */
interface DebitToRaise<T> {
  readonly id: number;
  readonly tenant: string;
  readonly mandate_id: number;
  readonly old_id: number;
  /** The order's other id, when the caller knows both. */
  readonly order_id?: string;
  /** Completes the caller's own work in the transaction of the debit, and makes its answer. */
  readonly answer: (tx: Tx, payment: Payment) => Promise<T>;
}

/**
 * Raises a debit (CLAIM-1, DEB-2): claims the order, gets the admission of mandates, and stores the payment. Undoes the
 * first steps when a later one fails. Used by a client's `/nach` and for the installments of plans.
 */
@Injectable()
export class RaiseDebit {
  constructor(
    private readonly claims: ClaimOrders,
    private readonly admissions: ClaimMandate,
    private readonly ids: PaymentIds,
    private readonly store: StoreDebit,
  ) {}

  /** Throws `ApiError`: 400 with the field, 409 with the reason of orders or mandates, 422 MANDATE_LIMIT_EXCEEDED, 503 without an answer. */
  async execute<T>(request: DebitToRaise<T>): Promise<T> {
    const { tenant, mandate_id } = request;
    const mandate = await this.admissions.mandate(tenant, mandate_id);
    await passFaultPoint('payments.id_drawn');
    try {
      const claimed = await this.claim(request, mandate);
      await passFaultPoint('payments.claimed');
      return await this.create(request, mandate, claimed);
    } catch (error) {
      // Without an answer the claim or the admission may exist, and a claim remains when the admission is refused.
      if (claimOwner(error) === 'ours')
        await this.ids.giveUp({ id: request.id, tenant, payment_type: 'NACH', mandate_id });
      throw error;
    }
  }

  private async claim<T>({ id, tenant, old_id }: DebitToRaise<T>, mandate: MandateFacts): Promise<Claimed> {
    try {
      const { id: mandate_id, investor_profile } = mandate;
      const about = { tenant, payment_id: id, amc_order_ids: [old_id], investor_profile };
      return await this.claims.execute({ ...about, mandate_id });
    } catch (error) {
      throw aboutTheMandate(error);
    }
  }

  private async create<T>(
    request: DebitToRaise<T>,
    { id: mandate_id, ...facts }: MandateFacts,
    claimed: Claimed,
  ): Promise<T> {
    const { id: payment_id, tenant, old_id, order_id, answer } = request;
    const [order] = claimed.orders;
    if (!order) throw new Error(`the claim of payment ${payment_id} has no order`);
    if (order_id !== undefined && order.id !== order_id)
      throw new ValidationFailed([{ field: 'order_id', message: `is not the order ${old_id}` }]);
    const { mandate, debit_date } = await this.admissions.debit({
      tenant,
      mandate_id,
      payment_id,
      old_id,
      amount: order.amount,
      investor_profile: facts.investor_profile,
      mf_investment_account: claimed.mf_investment_account,
    });
    await passFaultPoint('payments.debit_admitted');
    return this.store.execute({ id: payment_id, mandate, claimed, debit_date, answer });
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
