import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { ChangePayment, type PaymentKey } from '../payment/change-payment.ts';
import { isCaptureOfAnother } from '../payment/payment.repository.ts';
import { unchanged, type Payment } from '../payment/payment.ts';
import type { DebitOutcome } from './debit.ts';
import type { Debit } from './debit.tables.ts';
import { findDebit, saveDebits } from './debit.repository.ts';

/** A pure decision over the locked payment and its debit, or one that reads more in the same transaction. */
type DecideDebit = (payment: Payment, debit: Debit, tx: Tx) => DebitOutcome | Promise<DebitOutcome>;
export interface PaymentWithDebit {
  readonly payment: Payment;
  readonly debit: Debit;
}

/** Changes a debit, always with its payment and under the payment's row lock. */
@Injectable()
export class ChangeDebit {
  constructor(
    private readonly change: ChangePayment,
    private readonly database: Database,
  ) {}

  /** In its own transaction. Returns both after the change, or null when there is no such debit. */
  execute(key: PaymentKey, decide: DecideDebit): Promise<PaymentWithDebit | null> {
    return this.database.transaction((tx) => this.within(tx, key, decide));
  }

  /** In the transaction of a consumer, a callback or an idempotent request. */
  async within(tx: Tx, key: PaymentKey, decide: DecideDebit): Promise<PaymentWithDebit | null> {
    const changed: { debit: Debit | null } = { debit: null };
    const payment = await this.change.within(tx, key, async (row) => {
      const before = await findDebit(tx, row.tenant, row.id);
      if (!before) return unchanged(row);
      const { outcome, debit } = await decide(row, before, tx);
      // A capture that belongs to another payment is a contradiction: neither the payment nor the debit changes.
      changed.debit = (await isForeign(tx, row, outcome.payment)) ? before : debit;
      await saveDebits(tx, [{ before, after: changed.debit }]);
      return outcome;
    });
    return payment && changed.debit ? { payment, debit: changed.debit } : null;
  }
}

async function isForeign(tx: Tx, before: Payment, after: Payment): Promise<boolean> {
  for (const capture of after.captures.slice(before.captures.length))
    if (await isCaptureOfAnother(tx, capture)) return true;
  return false;
}
