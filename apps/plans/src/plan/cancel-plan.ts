import {
  found,
  type CancelMfRedemptionPlan,
  type EitherId,
  type MfPurchasePlanDto,
  type MfRedemptionPlanDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN } from './plan.aggregate.ts';
import { purchasePlansOf } from '../purchase-plan/purchase-plan.ts';
import { findPlan } from './plan.repository.ts';
import { cancel, toPlan, type Plan } from './plan.ts';

/** Cancels a plan. After the commit nothing more is generated; generated installments continue (PLAN-9). */
@Injectable()
export class CancelPlan {
  constructor(private readonly database: Database) {}

  /** Throws 404, and `IllegalTransition` when the plan is completed, failed or cancelled. */
  async execute(caller: Caller, id: EitherId, asked: CancelMfRedemptionPlan): Promise<MfRedemptionPlanDto> {
    const plan = found(await findPlan(this.database, caller.tenant, id));
    return this.cancel(caller, plan.id, asked, toPlan);
  }

  /** The same of a purchase plan. */
  async purchase(caller: Caller, id: EitherId, asked: CancelMfRedemptionPlan): Promise<MfPurchasePlanDto> {
    const plan = found(await findPlan(this.database, caller.tenant, id, 'purchase'));
    return this.cancel(caller, plan.id, asked, purchasePlansOf(caller));
  }

  private async cancel<D>(
    caller: Caller,
    id: string,
    asked: CancelMfRedemptionPlan,
    toDto: (row: Plan) => D,
  ): Promise<D> {
    const answer = await this.database.transaction(async (tx) => {
      const row = found(await PLAN.lock(tx, caller.tenant, id));
      const step = cancel(row, asked, tx.now);
      await PLAN.record(tx, row, step);
      const result = await caller.answer(tx, toDto(step.row));
      await passFaultPoint('plans.cancel.before_commit');
      return result;
    });
    await passFaultPoint('plans.cancel.committed');
    return answer;
  }
}
