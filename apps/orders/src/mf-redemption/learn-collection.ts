import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import type { PaymentStatus } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { gatewayDue } from '../order/order-due.ts';
import { ORDER } from '../order/order.aggregate.ts';
import type { Order } from '../order/order.ts';
import { removePayment, lockOrderNumbers, markCollected } from '../order/order.repository.ts';
import { noteDebitMade } from './installment.repository.ts';
import { awaitsCollection, collectionBy, failCollection } from './mf-redemption.ts';
import { ReturnCollection } from './return-collection.ts';

/** The state of an installment's debit. */
export interface DebitFact {
  readonly payment_id: number;
  readonly status: PaymentStatus;
}

/**
 * Applies a fact about a debit, from the answer of payments to our call or from the debit's events. The first one submits the
 * installment or fails it; the others then change nothing (CALL-3). A debit that fails after its success has refunded the money.
 */
@Injectable()
export class LearnCollection {
  constructor(
    private readonly database: Database,
    private readonly returned: ReturnCollection,
  ) {}

  /** Applies a debit's state to an installment, in a transaction of its own. */
  async execute({ tenant, old_id }: Order, fact: DebitFact): Promise<void> {
    await this.database.transaction((tx) => this.executeIn(tx, tenant, [old_id], fact));
  }

  /** The same in the caller's transaction. Orders that wait for no money, or for another payment's, do not change. */
  async executeIn(tx: Tx, tenant: string, oldIds: readonly number[], fact: DebitFact): Promise<void> {
    const outcome = collectionBy(fact.status);
    await noteDebitMade(tx, tenant, oldIds, fact.payment_id);
    if (outcome !== 'open') await this.end(tx, tenant, oldIds, { ...fact, outcome });
  }

  private async end(
    tx: Tx,
    tenant: string,
    oldIds: readonly number[],
    { payment_id, outcome }: DebitFact & { readonly outcome: 'collected' | 'failed' },
  ): Promise<void> {
    for (const row of await lockOrderNumbers(tx, tenant, 'redemption', oldIds)) {
      if (row.payment_id !== payment_id) continue;
      if (outcome === 'failed') await this.returned.executeIn(tx, row);
      else if (awaitsCollection(row)) await this.collected(tx, row);
      await passFaultPoint('orders.collection.before_commit');
    }
  }

  /** No debit will be created, because payments or mandates refuse it for good. Returns false if a payment still holds the order. */
  async refused({ tenant, old_id }: Order): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const [row] = await lockOrderNumbers(tx, tenant, 'redemption', [old_id]);
      if (!row || !awaitsCollection(row)) return true;
      if (row.claimed_by !== null) return false;
      await removePayment(tx, tenant, old_id);
      const unpaid = { ...row, payment_id: null };
      await ORDER.record(tx, unpaid, failCollection(unpaid, tx.now));
      return true;
    });
  }

  private async collected(tx: Tx, row: Order): Promise<void> {
    const { tenant, id: key, old_id } = row;
    await markCollected(tx, tenant, old_id);
    await scheduleDue(tx, { kind: gatewayDue(row).submit, key, tenant, due_at: tx.now });
  }
}
