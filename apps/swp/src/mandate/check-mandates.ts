import { MOST_MANDATES } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { DueLane, endDue, giveDueBack, leaseDue, leaveDue, type LeasedDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { lockPlan } from '../plan/plan.repository.ts';
import { tellMandateUnusable } from '../plan/plan.ts';
import { recordSteps } from '../plan/record-steps.ts';
import { findCollections, forgetReasons, type PlanCollection } from './collection.repository.ts';
import { whyUnusable, type MandateReason } from './mandate-rules.ts';

/** Longer than mandates takes to answer, and the telling of all that it may be about. */
const LEASE_MS = 30_000;

/** A plan as it was read, and why its mandate cannot collect what comes next; null when it can. */
interface Look {
  readonly plan: PlanCollection;
  readonly why: MandateReason | null;
}

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
      const looks = await this.lookAt(works);
      await endDue(
        this.database,
        works.filter(({ key }) => !looks.has(key)),
      );
      for (const work of works) {
        const look = looks.get(work.key);
        if (look) await this.record(work, look, now);
      }
      return works.length;
    } catch (error) {
      this.log.warn('mandates could not be looked at', { plans: works.length, why: String(error) });
      for (const work of works) await leaveDue(this.database, work, now);
      return 0;
    }
  }

  /** What is to be written down: of the plans whose mandates cannot collect what comes next, and of those that can again. */
  private async lookAt(works: readonly LeasedDue[]): Promise<ReadonlyMap<string, Look>> {
    const plans = await findCollections(
      this.database,
      works.map(({ key }) => key),
    );
    const asked = new Map(plans.map(({ tenant, mandate }) => [mandate, { tenant, id: mandate }]));
    if (asked.size === 0) return new Map();
    const known = await this.mandates.findAll([...asked.values()]);
    const looks = plans.map((plan) => ({ plan, why: whyUnusable(known.get(plan.mandate) ?? null, plan) }));
    return new Map(
      looks.filter(({ plan, why }) => why ?? plan.reason).map((look) => [look.plan.plan_id, look] as const),
    );
  }

  /**
   * Ends the work together with what is written. What was scheduled anew meanwhile is for another date, and is looked at then; and
   * when the plan has changed since the look, an event of the mandate may have come: the look is over, and is done once more.
   */
  private async record(work: LeasedDue, { plan, why }: Look, now: Date): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        const row = await lockPlan(tx, work.tenant, work.key);
        if (row && (row.event_seq !== plan.event_seq || row.reason !== plan.reason))
          return giveDueBack(tx, [work]);
        if (!row || (await endDue(tx, [work])) === 0) return;
        if (why) await recordSteps(tx, row, [tellMandateUnusable(row, why)]);
        else await forgetReasons(tx, [row.id]);
        await passFaultPoint('swp.mandate_check.before_commit');
      });
    } catch (error) {
      this.log.error('what was seen of a mandate could not be recorded', error, { plan: work.key });
      await leaveDue(this.database, work, now);
    }
  }
}
