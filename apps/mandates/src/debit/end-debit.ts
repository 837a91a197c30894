import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { endDebitRow, lockDebit } from './debit.repository.ts';
import type { Debit, DebitState } from './debit.ts';
import { closeAllPermits } from './permit.repository.ts';

/** Ends debits when their payment has ended or was never created. */
@Injectable()
export class EndDebit {
  constructor(private readonly database: Database) {}

  /** The payment is void or dead, so another payment may debit its order. Returns whether there was something to release. */
  release(tenant: string, paymentId: number): Promise<boolean> {
    return this.database.transaction((tx) => this.executeIn(tx, tenant, paymentId, 'released'));
  }

  /** In the transaction of a consumer. Does not change a debit that was not admitted here or has already ended so. */
  async executeIn(tx: Tx, tenant: string, paymentId: number, state: DebitState): Promise<boolean> {
    const debit = await lockDebit(tx, tenant, paymentId);
    if (!debit || !mayEndAs(debit, state)) return false;
    await endDebitIn(tx, debit, state);
    return true;
  }
}

/** Money that was collected may still go back. No other change follows an end. */
function mayEndAs(debit: Debit, state: DebitState): boolean {
  return debit.state === 'admitted' || (debit.state === 'succeeded' && state === 'failed');
}

/** Ends a debit that this transaction has locked. */
export async function endDebitIn(tx: Tx, debit: Debit, state: DebitState): Promise<void> {
  await closeAllPermits(tx, debit.tenant, debit.payment_id);
  await endDebitRow(tx, debit, state);
}
