import { isNotDone, type Answer } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import type { DueResult } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { ORDER } from '../order/order.aggregate.ts';
import type { Order } from '../order/order.ts';
import { failCollection } from './mf-redemption.ts';
import { arrivesUntil } from './returned-money.ts';
import { beginSubmission, endSubmission } from './submission.repository.ts';

/** Encloses the call that submits a collected installment: stores the intent before it and its end after it (decision 0030). */
@Injectable()
export class SubmitCollected {
  constructor(private readonly database: Database) {}

  /** Makes the call between its two marks. Returns null, without a call, when the order's money goes back. */
  async execute<T>(row: Order, call: () => Promise<Answer<T>>): Promise<Answer<T> | null> {
    if (row.collection_mandate === null) return call();
    const began = await this.database.now();
    if (!(await beginSubmission(this.database, row, began))) return null;
    const answer = await call();
    if (answer.kind === 'unknown') {
      const called = isNotDone(answer) ? row.submission_called_at : began;
      await endSubmission(this.database, row, { began, called, at: await this.database.now() });
    }
    return answer;
  }

  /** The gateway does not have a stopped order. The order fails once no call can still arrive. */
  withdraw({ tenant, id }: Order): Promise<DueResult> {
    return this.database.transaction<DueResult>(async (tx) => {
      const row = await ORDER.lock(tx, tenant, id);
      if (row?.state !== 'confirmed' || row.submission_stopped_at === null) return 'done';
      const until = arrivesUntil(row, tx.now);
      if (until) return { again: until };
      await ORDER.record(tx, row, failCollection(row, tx.now));
      return 'done';
    });
  }
}
