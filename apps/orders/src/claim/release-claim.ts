import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { holidaysForDeadline } from '@fundrail/service-kit/holidays';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { confirmationDeadline, ORDER_DUE } from '../order/order-due.ts';
import { freeOrders, type FreedOrder, type Release } from './claim.repository.ts';

/** Frees the orders that a payment holds. It is a compare-and-set, so a repeated or late release frees no other payment's claim. */
@Injectable()
export class ReleaseClaim {
  constructor(private readonly database: Database) {}

  /** Returns how many orders were freed: of the listed ones, or of all that the payment holds. */
  async execute(asked: Release): Promise<number> {
    const released = await this.database.transaction((tx) => this.executeIn(tx, asked));
    await passFaultPoint('orders.release.committed');
    return released;
  }

  /** The same in the caller's transaction, for example a consumer's. */
  async executeIn(tx: Tx, asked: Release): Promise<number> {
    const freed = await freeOrders(tx, asked);
    for (const order of freed) await resumeExpiry(tx, order);
    await passFaultPoint('orders.release.before_commit');
    return freed.length;
  }
}

/**
 * Reschedules `order_expiry`, which waited for the claim (ORD-22). It is rescheduled even when the deadline is still to come: its
 * work may have run and met the claim after this transaction's time was read.
 */
async function resumeExpiry(tx: Tx, order: FreedOrder): Promise<void> {
  // The deadline of a purchase plan's installment is checked again by itself (SIP-27).
  if (order.state !== 'pending' || !order.review_completed_at || order.payable_until) return;
  const due_at = confirmationDeadline(order.review_completed_at, await holidaysForDeadline(tx));
  await scheduleDue(tx, { kind: ORDER_DUE.expire, key: order.id, tenant: order.tenant, due_at });
}
