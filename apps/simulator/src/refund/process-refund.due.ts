import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { recordCallback } from '../callback/callback.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { processRefund, toRefundObject } from './refund.ts';
import { PROCESS_REFUND } from './start-refund.ts';

/** The refund arrives at the investor's bank. */
@Injectable()
@HandlesDue(PROCESS_REFUND)
export class ProcessRefund {
  constructor(private readonly db: Database) {}

  handle(work: DueWork): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await store.refunds.lock(tx, { reference: work.key });
      const next = row && processRefund(row);
      if (!next) return 'done';
      await store.refunds.save(tx, next);
      const { tenant, reference } = next;
      const object = toRefundObject(next);
      await recordCallback(tx, { tenant, topic: 'payments', event: 'refund.updated', reference, object });
      return 'done';
    });
  }
}
