import type { MandateFacts } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { completionOf } from '@fundrail/service-kit/http';
import { created, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { createdRows, insertCreated } from '../collection/collection.repository.ts';
import { PaymentsConfig } from '../config.ts';
import { ChangePayment } from '../payment/change-payment.ts';
import type { Claimed } from '../payment/claims.ts';
import { orderStates } from '../payment/order-state.repository.ts';
import { BLANK, task, type Payment, type Step } from '../payment/payment.ts';
import { debitsOrderChanged, reportDebit, unconfirmedAt } from './debit.ts';

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
      const step = newDebitPayment(admitted, tx.now);
      const { row } = step;
      const created = { step, request: null, authorisation: null };
      const ready = await insertCreated(tx, [
        createdRows(created, claimed.orders, completionOf(null, null), tx.now),
      ]);
      const isReady = ready.has(row.id);
      // A debit that has ended since its admission is reported again for this.
      await this.change.within(tx, row, async (payment) =>
        isReady
          ? debitsOrderChanged(payment, await orderStates(tx, payment), tx.now)
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
    provider_name: mandate.provider_name,
    mandate_id: mandate.id,
    created_at: now,
    orders: [share],
  };
  return created(paymentMachine, row);
}
