import { ApiError, istDate, type MandateFacts } from '@fundrail/contracts';
import { eventsOf } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { completionOf } from '@fundrail/service-kit/http';
import { created, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { PaymentsConfig } from '../config.ts';
import type { Claimed } from '../payment/claim-orders.ts';
import { BLANK } from '../payment/new-payment.ts';
import { insertCreated } from '../payment/payment-creation.repository.ts';
import { task, toPayment, type Payment, type Step } from '../payment/payment.ts';
import { refusalOf } from '../payment/store-payment.ts';
import { unconfirmedAt } from './debit-policy.ts';
import { insertDebit } from './debit.repository.ts';
import { newDebit } from './debit.ts';

/** A debit for a claimed order, admitted by mandates. */
interface AdmittedDebit<T> {
  readonly id: number;
  readonly mandate: MandateFacts;
  readonly claimed: Claimed;
  readonly execute_at: Date;
  readonly answer: (tx: Tx, payment: Payment) => Promise<T>;
}

/** The last step of a debit's creation: stores the NACH payment, its debit and its due work. */
@Injectable()
export class StoreDebit {
  constructor(
    private readonly database: Database,
    private readonly config: PaymentsConfig,
  ) {}

  /** Throws 503 when the id is taken, 409 when the order has a live payment. Nothing is stored then. */
  async execute<T>(admitted: AdmittedDebit<T>): Promise<T> {
    const { mandate, execute_at, answer, claimed } = admitted;
    // An approved mandate has its provider's token.
    if (mandate.mandate_token === null) throw new ApiError('MANDATE_NOT_APPROVED');
    const { mandate_token } = mandate;
    try {
      return await this.database.transaction(async (tx) => {
        const decision = newDebitPayment(admitted, tx.now);
        const { row } = decision;
        const about = { before: null, aggregateId: String(row.id), toObject: toPayment, now: tx.now };
        const [event] = eventsOf({ decision, ...about });
        if (!event) throw new Error('a creation publishes one event');
        const orders = claimed.orders.map(({ id: order_id, old_id, state, sequence }) => ({
          ...{ tenant: row.tenant, old_id, order_id, state, sequence },
        }));
        const ready = await insertCreated(tx, [
          { payment: row, orders, event, completion: completionOf(null, null) },
        ]);
        await insertDebit(tx, newDebit(row.id, mandate, mandate_token, execute_at));
        const due = [task(row, 'debit.notify', tx.now)];
        if (!ready.has(row.id)) due.push(task(row, 'debit.unconfirmed', await this.waitsUntil(tx)));
        for (const work of due) await scheduleDue(tx, { ...work, tenant: row.tenant });
        return answer(tx, row);
      });
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private async waitsUntil(tx: Tx): Promise<Date> {
    return unconfirmedAt(tx.now, { ...this.config.debits, holidays: await holidaysForDeadline(tx) });
  }
}

/** A NACH payment: PENDING until the provider has accepted the debit; it does not expire. */
function newDebitPayment(
  { id, mandate, claimed, execute_at }: Omit<AdmittedDebit<unknown>, 'answer'>,
  now: Date,
): Step {
  const [order] = claimed.orders;
  if (!order) throw new Error(`debit ${id} has no order`);
  const { tenant } = mandate;
  const share = {
    payment_id: id,
    tenant,
    old_id: order.old_id,
    order_id: order.id,
    amount: order.amount,
    live: true,
    scheme: order.scheme ?? null,
    display_name: null,
  };
  const row: Payment = {
    ...BLANK,
    id,
    tenant,
    payment_type: 'NACH',
    amount: order.amount,
    debit_date: istDate(execute_at),
    method: mandate.mandate_type === 'UPI' ? 'UPI' : null,
    from_bank_account_id: mandate.bank_account_id,
    bank_code: null,
    mf_investment_account: claimed.mf_investment_account,
    provider_name: mandate.provider_name,
    payment_postback_url: '',
    mandate_id: mandate.id,
    source_ref_id: null,
    created_at: now,
    expires_at: null,
    orders: [share],
  };
  return created(paymentMachine, row);
}
