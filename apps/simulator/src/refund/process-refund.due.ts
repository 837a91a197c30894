import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { recordCallback } from '../callback/callback.repository.ts';
import { processRefund, toRefundObject } from './refund.ts';
import { lockRefund, PROCESS_REFUND, updateRefund } from './refund.repository.ts';

/** The refund arrives at the investor's bank. */
@Injectable()
@HandlesDue(PROCESS_REFUND)
export class ProcessRefund {
  constructor(private readonly db: Database) {}

  handle(work: DueWork): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await lockRefund(tx, work.key);
      const next = row && processRefund(row);
      if (!next) return 'done';
      await updateRefund(tx, next);
      const { tenant, reference } = next;
      await recordCallback(tx, {
        tenant,
        topic: 'payments',
        event: 'refund.updated',
        reference,
        object: toRefundObject(next),
      });
      return 'done';
    });
  }
}
