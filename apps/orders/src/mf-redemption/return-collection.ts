import type { GiveBackAnswer, GiveBackRequest } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { gatewayDue } from '../order/order-due.ts';
import { ORDER } from '../order/order.aggregate.ts';
import { lockOrderNumbers } from '../order/order.repository.ts';
import type { Order } from '../order/order.ts';
import { failCollection } from './mf-redemption.ts';
import { moneyBack, reportReturn } from './returned-money.ts';
import { markReturned, markUnmarkedCalls, stopSubmission } from './submission.repository.ts';

/**
 * Handles the return of the money that was collected for an installment (decision 0030). Payments asks before it refunds, and the
 * submission starts under the same row lock, so one of the two comes first.
 */
@Injectable()
export class ReturnCollection {
  constructor(private readonly database: Database) {}

  /** Prevents the submission of all these orders with the money of that payment. If one is submitted already, changes nothing. */
  execute({ tenant, payment_id, amc_order_ids }: GiveBackRequest): Promise<GiveBackAnswer> {
    return this.database.transaction(async (tx) => {
      const locked = await lockOrderNumbers(tx, tenant, 'redemption', amc_order_ids);
      const ours = locked.filter((row) => row.payment_id === payment_id);
      const rows = await markUnmarkedCalls(tx, tenant, ours);
      for (const row of rows) {
        const back = moneyBack(row, tx.now);
        if (back === 'submitted') return { outcome: 'kept', old_id: row.old_id, reason: 'submitted' };
        if (back === 'under_way')
          return { outcome: 'kept', old_id: row.old_id, reason: 'submission_under_way' };
      }
      for (const row of rows) await failOrStop(tx, row);
      return { outcome: 'free' };
    });
  }

  /** The payment is dead: its money went back, with or without a question to orders. The row is locked. */
  async executeIn(tx: Tx, locked: Order): Promise<void> {
    const back = moneyBack(locked, tx.now);
    if (back === 'nothing' || locked.collection_returned_at !== null) return;
    await markReturned(tx, locked);
    if (back === 'submitted') return ORDER.record(tx, locked, reportReturn(locked));
    for (const row of await markUnmarkedCalls(tx, locked.tenant, [locked])) await failOrStop(tx, row);
  }
}

/** Fails the order if the gateway was never called. Otherwise the gateway is asked first. */
async function failOrStop(tx: Tx, row: Order): Promise<void> {
  const back = moneyBack(row, tx.now);
  if (back === 'fail') return ORDER.record(tx, row, failCollection(row, tx.now));
  if (back === 'nothing') return;
  await stopSubmission(tx, row);
  const { tenant, id: key } = row;
  await scheduleDue(tx, { kind: gatewayDue(row).submit, key, tenant, due_at: tx.now });
}
