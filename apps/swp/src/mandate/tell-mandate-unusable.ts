import type { Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { findPlansOfMandate, lockPlan } from '../plan/plan.repository.ts';
import { tellMandateUnusable } from '../plan/plan.ts';
import { recordSteps } from '../plan/record-steps.ts';
import { forgetReasons } from './collection.repository.ts';
import type { MandateReason } from './mandate-rules.ts';

/** Tells that a plan's mandate cannot collect, when it happens (contract §5). */
@Injectable()
export class TellMandateUnusable {
  /** The mandate was cancelled, paused or has expired. In the transaction of the inbox row. */
  async ended(tx: Tx, tenant: string, mandate: number, why: MandateReason): Promise<void> {
    for (const id of await findPlansOfMandate(tx, tenant, mandate)) {
      const row = await lockPlan(tx, tenant, id);
      if (row && row.made < row.number_of_installments)
        await recordSteps(tx, row, [tellMandateUnusable(row, why)]);
    }
    await passFaultPoint('swp.mandate_ended.before_commit');
  }

  /** The mandate goes on. Should it still not be enough, the look before the next date tells. */
  async resumed(tx: Tx, tenant: string, mandate: number): Promise<void> {
    await forgetReasons(tx, await findPlansOfMandate(tx, tenant, mandate));
  }
}
