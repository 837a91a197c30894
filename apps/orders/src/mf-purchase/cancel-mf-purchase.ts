import { ApiError, type EitherId, type MfPurchaseDto } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { findOrder, lockOrder } from '../order/order.repository.ts';
import { recordSteps } from '../order/record-steps.ts';
import { cancel, toMfPurchase } from './mf-purchase.ts';

/** Cancels a pending purchase that no payment holds (contract §2, §10 "Orders"). */
@Injectable()
export class CancelMfPurchase {
  constructor(private readonly database: Database) {}

  async execute(caller: Caller, id: EitherId): Promise<MfPurchaseDto> {
    const found = await findOrder(this.database, caller.tenant, 'purchase', id);
    if (!found) throw new ApiError('NOT_FOUND');
    const cancelled = await this.database.transaction(async (tx) => {
      const row = await lockOrder(tx, caller.tenant, 'purchase', found.id);
      if (!row) throw new ApiError('NOT_FOUND');
      const step = cancel(row, tx.now);
      await recordSteps(tx, row, [step]);
      const result = await caller.answer(tx, toMfPurchase(step.row));
      await passFaultPoint('orders.cancel.before_commit');
      return result;
    });
    await passFaultPoint('orders.cancel.committed');
    return cancelled;
  }
}
