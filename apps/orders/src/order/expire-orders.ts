import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { expireUnpaid } from '../mf-purchase/mf-purchase.ts';
import { passFaultPoint } from './fault-points.ts';
import { expireInstallment, isUnended } from '../mf-purchase/purchase-installment.ts';
import { nextUnpaidSweep, ORDER_DUE } from './order-due.ts';
import { ORDER } from './order.aggregate.ts';
import { expire } from './order.ts';

/** Ends orders that were not confirmed, or not paid, in time. It never happens while a payment holds the order (ORD-22, ORD-25, SIP-27). */
@Injectable()
export class ExpireOrders {
  constructor(private readonly database: Database) {}

  /** The work is done even when a payment holds the order, because its release schedules this again. */
  @HandlesDue(ORDER_DUE.expire)
  expireUnconfirmed(work: DueWork): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await ORDER.lock(tx, work.tenant, work.key);
      const step = row && expire(row, tx.now);
      if (step) await ORDER.record(tx, row, step);
      await passFaultPoint('orders.expire.before_commit');
      return 'done';
    });
  }

  /** Purchases only. A submitted order that a payment holds is checked again at the next sweep. */
  @HandlesDue(ORDER_DUE.expireUnpaid)
  expireUnpaid(work: DueWork): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await ORDER.lock(tx, work.tenant, work.key);
      if (row?.state !== 'submitted' || !row.submitted_at) return 'done';
      const step = expireUnpaid(row, tx.now);
      if (!step) return { again: nextUnpaidSweep(row.submitted_at, new Date(tx.now.getTime() + 1)) };
      await ORDER.record(tx, row, step);
      await passFaultPoint('orders.expire_unpaid.before_commit');
      return 'done';
    });
  }

  /** Installments of purchase plans. One that a payment holds, or that is being submitted, is checked again at the next 23:00. */
  @HandlesDue(ORDER_DUE.expireInstallment)
  expireInstallment(work: DueWork): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await ORDER.lock(tx, work.tenant, work.key);
      if (!row?.review_completed_at || !isUnended(row)) return 'done';
      const step = expireInstallment(row, tx.now);
      if (!step) return { again: nextUnpaidSweep(row.review_completed_at, new Date(tx.now.getTime() + 1)) };
      await ORDER.record(tx, row, step);
      await passFaultPoint('orders.expire_installment.before_commit');
      return 'done';
    });
  }
}
