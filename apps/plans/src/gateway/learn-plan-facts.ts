import { istDate } from '@fundrail/contracts';
import type { GatewayPlanStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { keepCalendar } from '../holiday/holiday.repository.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { findBusinessDay, findCalendarDay, markGatewayAnswer } from '../plan/plan.repository.ts';
import { calendarWarning, firstNominal, type FirstDay, type Plan } from '../plan/plan.ts';
import { scheduleFrom } from '../schedule/schedule.ts';
import { applyPlanFacts } from './plan-facts.ts';

/**
 * Applies a fact of the gateway, which reaches us in three ways: the answer to our call, a callback, and the answer to our status
 * question. The first is applied under the row lock; the others then change nothing (CALL-3).
 */
@Injectable()
export class LearnPlanFacts {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Returns the plan afterwards, or null when there is none. */
  async execute(tenant: string, id: string, facts: GatewayPlanStatus): Promise<Plan | null> {
    const learnt = await this.database.transaction(async (tx) => {
      const row = await PLAN.lock(tx, tenant, id);
      const after = row && (await this.executeIn(tx, row, facts));
      await passFaultPoint('plans.facts.before_commit');
      return after;
    });
    await passFaultPoint('plans.facts.committed');
    return learnt;
  }

  /** The same for a row that the caller's transaction has locked. */
  async executeIn(tx: Tx, row: Plan, facts: GatewayPlanStatus): Promise<Plan> {
    // Before its activation a plan has no date. Its lock therefore delays no replacement of the calendar.
    if (row.activated_at === null) await keepCalendar(tx);
    const first = await firstDay(tx, row);
    const { steps, contradiction } = applyPlanFacts(row, facts, { first, now: tx.now });
    await PLAN.record(tx, row, ...steps);
    if (row.unanswered_since) await markGatewayAnswer(tx, row, true, tx.now);
    const after = steps.at(-1)?.row ?? row;
    const about = { tenant: row.tenant, id: row.id, state: after.state };
    if (contradiction) this.log.warn('the gateway contradicts a plan', { contradiction, ...about });
    const warning = calendarWarning(after);
    if (warning && after.state !== row.state) this.log.warn('holidays are missing', { ...about, warning });
    return after;
  }
}

/** The day on which a plan that becomes active now has its first installment. */
async function firstDay(tx: Tx, row: Plan): Promise<FirstDay> {
  const first = await findCalendarDay(tx, firstNominal(row, tx.now));
  if (row.frequency !== 'daily') return first;
  const { first_by_day } = scheduleFrom(row, istDate(tx.now));
  // A first installment "now" is made besides the business days that follow.
  const later = row.number_of_installments - (row.first_now ? 2 : 1);
  return { ...first, last: later < 0 ? first.day : await findBusinessDay(tx, first_by_day, later) };
}
