import { MOST_MANDATES } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { DueLane, endDue, leaseDue, leaveDue, type LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { lockPlan } from '../plan/plan.repository.ts';
import { tellMandateUnusable } from '../plan/plan.ts';
import { recordSteps } from '../plan/record-steps.ts';
import { findCollections, forgetReasons } from './collection.repository.ts';
import { whyUnusable, type MandateReason } from './mandate-rules.ts';

/** Longer than mandates takes to answer, and the telling of all that it may be about. */
const LEASE_MS = 30_000;

/**
 * Three days before its date, looks whether the mandate can collect an installment, and tells it when not (contract §5). Many plans
 * by one question: a million may have the same date.
 */
@Injectable()
export class CheckMandates extends DueLane {
  readonly name = 'mandate checks';

  constructor(
    private readonly database: Database,
    private readonly mandates: Mandates,
    private readonly log: Log,
  ) {
    super();
  }

  /** Its work is rows of `due_work`, where the due worker sees it. */
  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  /** One batch. Answers 0 also when mandates does not answer: then all is left to later. */
  async run(now: Date): Promise<number> {
    const lease = { kind: PLAN_DUE.checkMandate, now, most: MOST_MANDATES, leaseMs: LEASE_MS };
    const works = await leaseDue(this.database, { ...lease, token: randomUUID() });
    if (works.length === 0) return 0;
    try {
      const unusable = await this.unusableOf(works);
      await endDue(
        this.database,
        works.filter(({ key }) => !unusable.has(key)),
      );
      for (const work of works) {
        const why = unusable.get(work.key);
        if (why) await this.tell(work, why, now);
      }
      return works.length;
    } catch (error) {
      this.log.warn('mandates could not be looked at', { plans: works.length, why: String(error) });
      for (const work of works) await leaveDue(this.database, work, now);
      return 0;
    }
  }

  /** Of the plans, those whose mandates cannot collect what comes next, and why. What was told of the others is over. */
  private async unusableOf(works: readonly LeasedDue[]): Promise<ReadonlyMap<string, MandateReason>> {
    const plans = await findCollections(
      this.database,
      works.map(({ key }) => key),
    );
    const asked = new Map(plans.map(({ tenant, mandate }) => [mandate, { tenant, id: mandate }]));
    if (asked.size === 0) return new Map();
    const known = await this.mandates.findAll([...asked.values()]);
    const judged = plans.map((plan) => ({ plan, why: whyUnusable(known.get(plan.mandate) ?? null, plan) }));
    const again = judged.flatMap(({ plan, why }) =>
      why === null && plan.reason !== null ? [plan.plan_id] : [],
    );
    await forgetReasons(this.database, again);
    return new Map(judged.flatMap(({ plan, why }) => (why ? [[plan.plan_id, why]] : [])));
  }

  /** Ends the work together with the event. What was scheduled anew meanwhile is for another date, and is looked at then. */
  private async tell(work: LeasedDue, why: MandateReason, now: Date): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        const row = await lockPlan(tx, work.tenant, work.key);
        if (!row || (await endDue(tx, [work])) === 0) return;
        await recordSteps(tx, row, [tellMandateUnusable(row, why)]);
        await passFaultPoint('swp.mandate_check.before_commit');
      });
    } catch (error) {
      this.log.error('a mandate that cannot collect could not be told', error, { plan: work.key });
      await leaveDue(this.database, work, now);
    }
  }
}
