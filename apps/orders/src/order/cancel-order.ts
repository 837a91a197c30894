import { found, type EitherId } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from './fault-points.ts';
import type { OrderKind } from './order-kind.ts';
import { ORDER } from './order.aggregate.ts';
import { cancel } from './order.ts';
import { findOrder } from './order.repository.ts';

/** Cancels a pending order that no payment holds (ORD-21). */
@Injectable()
export class CancelOrder {
  constructor(private readonly database: Database) {}

  async execute<D>(of: OrderKind<never, never, D>, caller: Caller, id: EitherId): Promise<D> {
    const known = found(await findOrder(this.database, caller.tenant, of.kind, id));
    const cancelled = await this.database.transaction(async (tx) => {
      const row = found(await ORDER.lock(tx, caller.tenant, known.id));
      const step = cancel(row, tx.now);
      await ORDER.record(tx, row, step);
      const result = await caller.answer(tx, of.toObject(step.row, tx.now));
      await passFaultPoint('orders.cancel.before_commit');
      return result;
    });
    await passFaultPoint('orders.cancel.committed');
    return cancelled;
  }
}
