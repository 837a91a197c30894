import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { HeldSteps } from '../hold/held-steps.ts';
import { store } from '../store/simulator.tables.ts';
import { decidePlanReview, register, type GatewayPlanRow } from './gateway-plan.ts';
import { REGISTER_PLAN, REVIEW_PLAN, savePlan } from './save-plan.ts';

/** The gateway's automatic steps of a plan. They run as soon as no hold stops them. */
@Injectable()
export class PlanSteps {
  constructor(
    private readonly db: Database,
    private readonly held: HeldSteps,
  ) {}

  @HandlesDue(REVIEW_PLAN)
  async review(work: DueWork): Promise<DueResult> {
    if (await this.held.keeps('hold_review', work)) return 'done';
    return this.step(work, decidePlanReview);
  }

  @HandlesDue(REGISTER_PLAN)
  register(work: DueWork): Promise<DueResult> {
    return this.step(work, register);
  }

  private step(work: DueWork, decide: (row: GatewayPlanRow) => GatewayPlanRow | null): Promise<DueResult> {
    return this.db.transaction<DueResult>(async (tx) => {
      const row = await store.plans.lock(tx, { reference: work.key });
      const next = row && decide(row);
      if (next) await savePlan(tx, next);
      return 'done';
    });
  }
}
