import type { MandateFacts } from '@fundrail/contracts';
import { TransactionGroups } from '@fundrail/messaging';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleAllDue } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { completionOf, type IdempotencyKey } from '@fundrail/service-kit/http';
import { created, paymentMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { createdRows, insertCreated } from '../collection/collection.repository.ts';
import { PaymentsConfig } from '../config.ts';
import { ChangePayment } from '../payment/change-payment.ts';
import type { Claimed } from '../payment/claims.ts';
import { orderStatesOf } from '../payment/order-state.repository.ts';
import { BLANK, task, type Payment, type Step } from '../payment/payment.ts';
import { debitsOrderChanged, reportDebit, unconfirmedAt } from './debit.ts';

/** The most debits in one transaction. A larger one is not faster, and an error in it undoes more. */
const MOST_TOGETHER = 64;
/** Concurrent transactions: while one commits, the next one is written. */
const AT_ONCE = 2;

/** A debit for a claimed order, admitted by mandates. */
interface AdmittedDebit {
  readonly id: number;
  readonly mandate: MandateFacts;
  readonly claimed: Claimed;
  /** The expected day, IST. */
  readonly debit_date: string;
  /** Completed with the debit; null without one. */
  readonly idempotency: IdempotencyKey | null;
}

/**
 * The last step of a debit's creation: stores the NACH payment. Mandates has its debit, and starts it when the order is ready. Debits that
 * arrive together share a transaction; when the database refuses it, each is stored alone, so that only the faulty one is refused.
 */
@Injectable()
export class StoreDebit {
  private readonly groups: TransactionGroups<AdmittedDebit>;

  constructor(
    database: Database,
    private readonly change: ChangePayment,
    private readonly config: PaymentsConfig,
  ) {
    const size = { most: MOST_TOGETHER, atOnce: AT_ONCE };
    this.groups = new TransactionGroups(database, size, (tx, debits) => this.store(tx, debits));
  }

  /** Returns the payment's status. Rejects with the constraint that refuses it; then nothing is stored. */
  async execute(admitted: AdmittedDebit): Promise<Payment['status']> {
    await this.groups.run(admitted);
    return 'PENDING';
  }

  private async store(tx: Tx, debits: readonly AdmittedDebit[]): Promise<void> {
    const made = debits.map((debit) => ({ debit, step: newDebitPayment(debit, tx.now) }));
    const created = made.map(({ debit: { id, claimed, idempotency }, step }) => {
      const completion = completionOf(idempotency, { id });
      return createdRows({ step, request: null, authorisation: null }, claimed.orders, completion, tx.now);
    });
    const ready = await insertCreated(tx, created);
    const payments = made.map(({ step }) => step.row);
    const waiting = payments.filter(({ id }) => !ready.has(id));
    const states = await orderStatesOf(
      tx,
      payments.filter(({ id }) => ready.has(id)),
    );
    // A debit that has ended since its admission is reported again for this.
    const decide = (payment: Payment) =>
      ready.has(payment.id)
        ? debitsOrderChanged(payment, states, tx.now)
        : reportDebit(payment, { order: 'waiting' });
    await this.change.record(
      tx,
      payments.map((payment) => [payment, decide(payment)]),
    );
    if (waiting.length === 0) return;
    const due_at = await this.waitsUntil(tx);
    await scheduleAllDue(
      tx,
      waiting.map((row) => ({ ...task(row, 'debit.unconfirmed', due_at), tenant: row.tenant })),
    );
  }

  private async waitsUntil(tx: Tx): Promise<Date> {
    return unconfirmedAt(tx.now, this.config.confirmBusinessDays, await holidaysForDeadline(tx));
  }
}

/** A NACH payment: PENDING until the provider has accepted the debit; it does not expire. */
function newDebitPayment({ id, mandate, claimed, debit_date }: AdmittedDebit, now: Date): Step {
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
    scheme_category: order.scheme_category ?? null,
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
