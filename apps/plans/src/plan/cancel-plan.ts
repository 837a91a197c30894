import {
  ApiError,
  type CancelMfRedemptionPlan,
  type EitherId,
  type MfRedemptionPlanDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN } from './plan.aggregate.ts';
import { findPlan } from './plan.repository.ts';
import { cancel, toPlan } from './plan.ts';

/** Cancels a plan. After the commit nothing more is generated; generated installments continue (PLAN-9). */
@Injectable()
export class CancelPlan {
  constructor(private readonly database: Database) {}

  /** Throws 404, and `IllegalTransition` when the plan is completed, failed or cancelled. */
  async execute(caller: Caller, id: EitherId, asked: CancelMfRedemptionPlan): Promise<MfRedemptionPlanDto> {
    const found = await findPlan(this.database, caller.tenant, id);
    if (!found) throw new ApiError('NOT_FOUND');
    const answer = await this.database.transaction(async (tx) => {
      const row = await PLAN.lock(tx, caller.tenant, found.id);
      if (!row) throw new ApiError('NOT_FOUND');
      const step = cancel(row, asked, tx.now);
      await PLAN.record(tx, row, step);
      const result = await caller.answer(tx, toPlan(step.row));
      await passFaultPoint('plans.cancel.before_commit');
      return result;
    });
    await passFaultPoint('plans.cancel.committed');
    return answer;
  }
}
