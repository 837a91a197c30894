import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { findPlansOfMandate } from '../plan/plan.repository.ts';
import { markMandateUnusable } from '../plan/plan.ts';
import { clearReasons } from './collection.repository.ts';
import type { MandateReason } from './mandate-rules.ts';

/** Publishes that a plan's mandate cannot collect, as soon as that happens (PLAN-25). */
@Injectable()
export class ReportMandateUnusable {
  /** The mandate was cancelled, paused or has expired. In the transaction of the inbox row. */
  async ended(tx: Tx, tenant: string, mandate: number, why: MandateReason): Promise<void> {
    for (const id of await findPlansOfMandate(tx, tenant, mandate)) {
      const row = await PLAN.lock(tx, tenant, id);
      // A PATCH may have replaced the mandate meanwhile.
      if (row?.payment_source === mandate && row.made < row.number_of_installments)
        await PLAN.record(tx, row, markMandateUnusable(row, why));
    }
    await passFaultPoint('plans.mandate_ended.before_commit');
  }

  /** The mandate can collect again. If it is still insufficient, the check before the next date publishes that. */
  async resumed(tx: Tx, tenant: string, mandate: number): Promise<void> {
    await clearReasons(tx, await findPlansOfMandate(tx, tenant, mandate));
  }
}
