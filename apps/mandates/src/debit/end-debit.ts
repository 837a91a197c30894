import { Database, type Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { endDebitRow, lockDebit } from './debit.repository.ts';
import type { Debit, DebitState } from './debit.ts';
import { closeAllPermits } from './permit.repository.ts';

/** Ends debits: their payment has ended, or never came to be. */
@Injectable()
export class EndDebit {
  constructor(private readonly database: Database) {}

  /** The payment is void or dead: its order may be debited by another one. Answers whether there was something to release. */
  release(tenant: string, paymentId: number): Promise<boolean> {
    return this.database.transaction((tx) => this.executeIn(tx, tenant, paymentId, 'released'));
  }

  /** In the transaction of a consumer. A debit that has not begun here, or has ended so before, is left alone. */
  async executeIn(tx: Tx, tenant: string, paymentId: number, state: DebitState): Promise<boolean> {
    const debit = await lockDebit(tx, tenant, paymentId);
    if (!debit || !mayEndAs(debit, state)) return false;
    await endDebitIn(tx, debit, state);
    return true;
  }
}

/** Money that came may go back once more; nothing else follows an end. */
function mayEndAs(debit: Debit, state: DebitState): boolean {
  return debit.state === 'admitted' || (debit.state === 'succeeded' && state === 'failed');
}

/** Ends a debit that this transaction has locked. */
export async function endDebitIn(tx: Tx, debit: Debit, state: DebitState): Promise<void> {
  await closeAllPermits(tx, debit.tenant, debit.payment_id);
  await endDebitRow(tx, debit, state);
}
