import type { MandateFacts } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { completionOf } from '@fundrail/service-kit/http';
import { created, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { BLANK } from '../collection/new-payment.ts';
import { PaymentsConfig } from '../config.ts';
import { ChangePayment } from '../payment/change-payment.ts';
import type { Claimed } from '../payment/claim-orders.ts';
import { creationRows } from '../payment/open-payment.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { ordersChanged } from '../payment/orders-of-payment.ts';
import { insertCreated } from '../payment/payment-creation.repository.ts';
import { task, type Payment, type Step } from '../payment/payment.ts';
import { reportDebit } from './debit-fact.ts';
import { unconfirmedAt } from './debit.ts';

/** A debit for a claimed order, admitted by mandates. */
interface AdmittedDebit<T> {
  readonly id: number;
  readonly mandate: MandateFacts;
  readonly claimed: Claimed;
  /** The expected day, IST. */
  readonly debit_date: string;
  readonly answer: (tx: Tx, payment: Payment) => Promise<T>;
}

/** The last step of a debit's creation: stores the NACH payment. Mandates has its debit, and starts it when the order is ready. */
@Injectable()
export class StoreDebit {
  constructor(
    private readonly database: Database,
    private readonly change: ChangePayment,
    private readonly config: PaymentsConfig,
  ) {}

  /** Rejects with the constraint that refuses it; then nothing is stored. */
  execute<T>(admitted: AdmittedDebit<T>): Promise<T> {
    const { answer, claimed } = admitted;
    return this.database.transaction(async (tx) => {
      const decision = newDebitPayment(admitted, tx.now);
      const { row } = decision;
      const ready = await insertCreated(tx, [
        creationRows(decision, claimed.orders, completionOf(null, null), tx.now),
      ]);
      const isReady = ready.has(row.id);
      // A debit that has ended since its admission is reported again for this.
      await this.change.within(tx, row, async (payment) =>
        isReady
          ? ordersChanged(payment, await orderStates(tx, payment), tx.now)
          : reportDebit(payment, { order: 'waiting' }),
      );
      if (!isReady) {
        const work = task(row, 'debit.unconfirmed', await this.waitsUntil(tx));
        await scheduleDue(tx, { ...work, tenant: row.tenant });
      }
      return answer(tx, row);
    });
  }

  private async waitsUntil(tx: Tx): Promise<Date> {
    return unconfirmedAt(tx.now, this.config.confirmBusinessDays, await holidaysForDeadline(tx));
  }
}

/** A NACH payment: PENDING until the provider has accepted the debit; it does not expire. */
function newDebitPayment(
  { id, mandate, claimed, debit_date }: Omit<AdmittedDebit<unknown>, 'answer'>,
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
    debit_date,
    method: mandate.mandate_type === 'UPI' ? 'UPI' : null,
    from_bank_account_id: mandate.bank_account_id,
    bank_code: null,
    mf_investment_account: claimed.mf_investment_account,
    provider_name: mandate.provider_name,
    payment_postback_url: '',
    mandate_id: mandate.id,
    created_at: now,
    expires_at: null,
    orders: [share],
  };
  return created(paymentMachine, row);
}
