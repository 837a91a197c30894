import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { recordWebhook } from '../callback/callback.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { toPaymentObject } from './sdk-payment.ts';
import { PROCESS_SDK_REFUND } from './make-refund.ts';
import { toRefundObject } from './sdk-refund.ts';

/** The refund arrives at the investor's bank, and a webhook reports it. */
@Injectable()
@HandlesDue(PROCESS_SDK_REFUND)
export class ProcessSdkRefund {
  constructor(private readonly db: Database) {}

  handle(work: DueWork): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await store.sdkRefunds.lock(tx, { id: work.key });
      const attempt = row && (await store.attempts.find(tx, { id: row.payment_id }));
      if (!attempt || row.status !== 'pending') return 'done';
      const refund = { ...row, status: 'processed' as const };
      await store.sdkRefunds.save(tx, refund);
      const entities = {
        refund: toRefundObject(refund),
        payment: toPaymentObject(attempt, attempt.refunded),
      };
      const { tenant, id: reference } = refund;
      await recordWebhook(tx, { tenant, reference, event: 'refund.processed', entities });
      return 'done';
    });
  }
}
