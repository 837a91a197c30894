import { Database, type Tx } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { readHolidays } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { confirmationDeadline, ORDER_DUE } from '../order/order-due.ts';
import { freeOrders, type FreedOrder } from './claim.repository.ts';

/** Frees the orders that a payment holds: a compare-and-set, so releasing twice or late frees nobody else's claim. */
@Injectable()
export class ReleaseClaim {
  constructor(private readonly database: Database) {}

  /** Answers how many orders were freed: those named, or all that the payment holds. */
  async execute(tenant: string, paymentId: number, oldIds?: readonly number[]): Promise<number> {
    const released = await this.database.transaction((tx) => this.executeIn(tx, tenant, paymentId, oldIds));
    await passFaultPoint('orders.release.committed');
    return released;
  }

  /** The same in a transaction that the caller has, such as a consumer's. */
  async executeIn(tx: Tx, tenant: string, paymentId: number, oldIds?: readonly number[]): Promise<number> {
    const freed = await freeOrders(tx, tenant, paymentId, oldIds ?? null);
    for (const order of freed) await resumeExpiry(tx, order);
    await passFaultPoint('orders.release.before_commit');
    return freed.length;
  }
}

/**
 * `order_expiry` has waited for the claim (contract §2): a deadline that struck meanwhile is due again. So is one that is
 * still to come: the deadline's own work may have struck, and met the claim, after this transaction's time was read.
 */
async function resumeExpiry(tx: Tx, order: FreedOrder): Promise<void> {
  if (order.state !== 'pending' || !order.review_completed_at) return;
  const due_at = confirmationDeadline(order.review_completed_at, await readHolidays(tx));
  await scheduleDue(tx, { kind: ORDER_DUE.expire, key: order.id, tenant: order.tenant, due_at });
}
