import type { GatewayPlanStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database, type Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { keepCalendar } from '../holiday/holiday.repository.ts';
import { findCalendarDay, lockPlan, markGatewayAnswer } from '../plan/plan.repository.ts';
import { calendarWarning, firstNominal, type Plan } from '../plan/plan.ts';
import { recordSteps } from '../plan/record-steps.ts';
import { applyPlanFacts } from './plan-facts.ts';

/**
 * Where the three writers of one fact meet: the gateway's answer to our call, its callback, and its answer to our question.
 * Whichever comes first is applied under the row lock; the others find it applied (architecture §11).
 */
@Injectable()
export class LearnPlanFacts {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Answers the plan after it, or null when there is none. */
  async execute(tenant: string, id: string, facts: GatewayPlanStatus): Promise<Plan | null> {
    const learnt = await this.database.transaction(async (tx) => {
      const row = await lockPlan(tx, tenant, id);
      const after = row && (await this.executeIn(tx, row, facts));
      await passFaultPoint('swp.facts.before_commit');
      return after;
    });
    await passFaultPoint('swp.facts.committed');
    return learnt;
  }

  /** The same for a row that the caller's transaction has locked. */
  async executeIn(tx: Tx, row: Plan, facts: GatewayPlanStatus): Promise<Plan> {
    // Before its activation a plan has no date, so its lock is none that a replacement of the calendar waits for.
    if (row.activated_at === null) await keepCalendar(tx);
    const first = await findCalendarDay(tx, firstNominal(row, tx.now));
    const { steps, contradiction } = applyPlanFacts(row, facts, { first, now: tx.now });
    await recordSteps(tx, row, steps);
    if (row.unanswered_since) await markGatewayAnswer(tx, row, true, tx.now);
    const after = steps.at(-1)?.row ?? row;
    const about = { tenant: row.tenant, id: row.id, state: after.state };
    if (contradiction) this.log.warn('the gateway contradicts a plan', { contradiction, ...about });
    const warning = calendarWarning(after);
    if (warning && after.state !== row.state) this.log.warn('holidays are missing', { ...about, warning });
    return after;
  }
}
