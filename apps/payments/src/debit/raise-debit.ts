import { ApiError, istDate, ValidationFailed } from '@fundrail/contracts';
import type { MandateFacts } from '@fundrail/contracts';
import type { Tx } from '@fundrail/messaging';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ClaimMandate } from '../authorisation/claim-mandate.ts';
import { PaymentsConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates-client.ts';
import { ClaimOrders } from '../payment/claim-orders.ts';
import type { Claimed } from '../payment/claim-orders.ts';
import type { Payment } from '../payment/payment.ts';
import { whoseClaim } from '../payment/store-payment.ts';
import { VoidPayment } from '../payment/void-payment.ts';
import { expectedExecution } from './debit-policy.ts';
import { StoreDebit } from './store-debit.ts';

/** One debit of a mandate for one order, under an id that is drawn. */
export interface AskedDebit<T> {
  readonly id: number;
  readonly tenant: string;
  readonly mandate_id: number;
  readonly old_id: number;
  /** The order's other name, where whoever asks knows both. */
  readonly order_id?: string;
  /** Whoever asks completes its own work in the transaction of the debit, and gets its answer back. */
  readonly answer: (tx: Tx, payment: Payment) => Promise<T>;
}

/**
 * Raises a debit (architecture §11, contract §4): the order's claim, mandates' admission, the payment with its debit, and the
 * way back when the middle fails. Who asks does not matter: a client by `/nach`, or a plan for its installment.
 */
@Injectable()
export class RaiseDebit {
  constructor(
    private readonly mandates: Mandates,
    private readonly claims: ClaimOrders,
    private readonly admissions: ClaimMandate,
    private readonly voids: VoidPayment,
    private readonly store: StoreDebit,
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws `ApiError`: 400 naming the field, 409 with the reason of orders or mandates, 422 MANDATE_LIMIT_EXCEEDED, 503 without an answer. */
  async execute<T>(asked: AskedDebit<T>): Promise<T> {
    const { tenant, mandate_id } = asked;
    const mandate = await this.mandates.facts(tenant, mandate_id);
    if (!mandate)
      throw new ValidationFailed([{ field: 'mandate_id', message: 'is not a mandate of this tenant' }]);
    await passFaultPoint('payments.id_drawn');
    try {
      const claimed = await this.claim(asked, mandate);
      await passFaultPoint('payments.claimed');
      return await this.create(asked, mandate, claimed);
    } catch (error) {
      // Without an answer the claim or the admission may be there, and a claim stands when the admission is refused.
      if (whoseClaim(error) === 'ours')
        await this.voids.execute({ id: asked.id, tenant, payment_type: 'NACH', mandate_id });
      throw error;
    }
  }

  private async claim<T>({ id, tenant, old_id }: AskedDebit<T>, mandate: MandateFacts): Promise<Claimed> {
    try {
      const { id: mandate_id, investor_profile } = mandate;
      const about = { tenant, payment_id: id, amc_order_ids: [old_id], investor_profile };
      return await this.claims.execute({ ...about, mandate_id });
    } catch (error) {
      throw aboutTheMandate(error);
    }
  }

  private async create<T>(
    asked: AskedDebit<T>,
    { id: mandate_id, ...facts }: MandateFacts,
    claimed: Claimed,
  ): Promise<T> {
    const { id: payment_id, tenant, old_id, order_id, answer } = asked;
    const [order] = claimed.orders;
    if (!order) throw new Error(`the claim of payment ${payment_id} has no order`);
    if (order_id !== undefined && order.id !== order_id)
      throw new ValidationFailed([{ field: 'order_id', message: `is not the order ${old_id}` }]);
    const execute_at = expectedExecution(facts.mandate_type, await this.database.now(), this.config.debits);
    const mandate = await this.admissions.debit({
      tenant,
      mandate_id,
      payment_id,
      old_id,
      amount: order.amount,
      investor_profile: facts.investor_profile,
      debit_date: istDate(execute_at),
    });
    await passFaultPoint('payments.debit_admitted');
    return this.store.execute({ id: payment_id, mandate, claimed, execute_at, answer });
  }
}

/** The claim tells of a foreign investor by the bank account, which a debit's request does not name: the mandate stands for it. */
function aboutTheMandate(error: unknown): unknown {
  const isForeign =
    error instanceof ApiError && error.errors.some(({ field }) => field === 'bank_account_id');
  return isForeign
    ? new ValidationFailed([{ field: 'mandate_id', message: 'is of another investor than the order' }])
    : error;
}
