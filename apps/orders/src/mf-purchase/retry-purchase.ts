import { found, newId, type EitherId } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import type { OrderKind } from '../order/order-kind.ts';
import { ORDER } from '../order/order.aggregate.ts';
import { drawOrderNumbers, findOrder, lockOrders, noteRetry } from '../order/order.repository.ts';
import { retryPurchase } from './mf-purchase.ts';

/** `POST /v2/mf_purchases/:id/retry`: creates a purchase from a failed one, once, and records which (ORD-34). */
@Injectable()
export class RetryPurchase {
  constructor(private readonly database: Database) {}

  async execute<D>(of: OrderKind<never, never, D>, caller: Caller, id: EitherId): Promise<D> {
    const { tenant } = caller;
    const known = found(await findOrder(this.database, tenant, of.kind, id));
    return this.database.transaction(async (tx) => {
      const [failed] = await lockOrders(tx, tenant, of.kind, [known.id]);
      const [old_id] = await drawOrderNumbers(tx, 1);
      if (!failed || old_id === undefined) throw new Error(`${known.id} cannot be read`);
      const step = retryPurchase(failed, { id: newId(of.kind), old_id, now: tx.now });
      await ORDER.create(tx, step);
      await noteRetry(tx, failed, step.row.id);
      return caller.answer(tx, of.toObject(step.row, tx.now));
    });
  }
}
