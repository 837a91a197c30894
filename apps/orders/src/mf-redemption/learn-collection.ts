import type { Tx } from '@fundrail/messaging';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import type { PaymentStatus } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { gatewayDue } from '../order/order-due.ts';
import type { Order } from '../order/order.ts';
import { forgetPayment, lockOrderNumbers, markCollected } from '../order/order.repository.ts';
import { recordSteps } from '../order/record-steps.ts';
import { awaitsCollection, collectionBy, failCollection } from './mf-redemption.ts';

/** How the debit of an installment stands. */
export interface DebitFact {
  readonly payment_id: number;
  readonly status: PaymentStatus;
}

/**
 * Where the writers of one fact meet: payments' answer to our call, and the debit's events. Whichever comes first submits the
 * installment or fails it; the others find it done (architecture §11).
 */
@Injectable()
export class LearnCollection {
  constructor(private readonly database: Database) {}

  /** What the debit says of an installment, outside of any transaction. */
  async execute({ tenant, old_id }: Order, fact: DebitFact): Promise<void> {
    await this.database.transaction((tx) => this.executeIn(tx, tenant, [old_id], fact));
  }

  /** The same in the caller's transaction. Orders that wait for no money, or for another payment's, are left alone. */
  async executeIn(tx: Tx, tenant: string, oldIds: readonly number[], fact: DebitFact): Promise<void> {
    const outcome = collectionBy(fact.status);
    if (outcome === 'open') return;
    for (const row of await lockOrderNumbers(tx, tenant, 'redemption', oldIds)) {
      if (!awaitsCollection(row) || row.payment_id !== fact.payment_id) continue;
      if (outcome === 'failed') await recordSteps(tx, row, [failCollection(row, tx.now)]);
      else await this.collected(tx, row);
      await passFaultPoint('orders.collection.before_commit');
    }
  }

  /** No debit will be made: payments or mandates refuse it for good. False while a payment holds the order all the same. */
  async refused({ tenant, old_id }: Order): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [row] = await lockOrderNumbers(tx, tenant, 'redemption', [old_id]);
      if (!row || !awaitsCollection(row)) return true;
      if (row.claimed_by !== null) return false;
      await forgetPayment(tx, tenant, old_id);
      const unpaid = { ...row, payment_id: null };
      await recordSteps(tx, unpaid, [failCollection(unpaid, tx.now)]);
      return true;
    });
  }

  private async collected(tx: Tx, row: Order): Promise<void> {
    const { tenant, id: key, old_id } = row;
    await markCollected(tx, tenant, old_id);
    await scheduleDue(tx, { kind: gatewayDue(row).submit, key, tenant, due_at: tx.now });
  }
}
