import { MOST_MANDATES } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  DueLane,
  endDue,
  giveDueBack,
  kindsDue,
  leaseDue,
  leaveDue,
  signalOf,
  type LeasedDue,
} from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { passFaultPoint } from '../fault-points.ts';
import { Mandates } from '../outside/mandates.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { markMandateUnusable, type Plan, type PlanStep } from '../plan/plan.ts';
import { heldStepOf, reportHeldStep } from '../purchase-plan/purchase-plan.ts';
import { nextAmount } from '../schedule/step-up.ts';
import { findCollections, clearReasons, type PlanCollection } from './collection.repository.ts';
import { newerCopy, whyUnusable, type MandateCopy, type MandateReason } from './mandate-rules.ts';

/** Longer than mandates takes to answer plus the time to record the results. */
const LEASE_MS = 30_000;
/** In the order in which they run. */
const KINDS = [PLAN_DUE.recheckMandate, PLAN_DUE.checkMandate];

/** A plan as it was read, its copy of the mandate after the answer, and why the mandate cannot collect the next installment (null when it can). */
interface CheckResult {
  readonly plan: PlanCollection;
  readonly copy: MandateCopy;
  readonly why: MandateReason | null;
}

/**
 * Three days before an installment's date, and when a purchase plan or its mandate has changed, checks whether the mandate can collect the
 * installment, and publishes an event when it cannot (PLAN-25, SIP-15). Asks about many plans in one question, because a million may have the same date.
 */
@Injectable()
export class CheckMandates extends DueLane {
  readonly name = 'mandate checks';
  override readonly signal = KINDS.map(signalOf);

  constructor(
    private readonly database: Database,
    private readonly mandates: Mandates,
    private readonly log: Log,
  ) {
    super();
  }

  /** Its work is rows of `due_work`, whose due times the due worker reads. */
  earliestDue(): Promise<null> {
    return Promise.resolve(null);
  }

  async run(now: Date): Promise<number> {
    let worked = 0;
    for (const kind of await kindsDue(this.database, KINDS, now)) worked += await this.runKind(kind, now);
    return worked;
  }

  /** Runs one batch. Also returns 0 when mandates does not answer: then the whole batch is tried again later. */
  private async runKind(kind: string, now: Date): Promise<number> {
    const lease = { kind, now, most: MOST_MANDATES, leaseMs: LEASE_MS };
    const works = await leaseDue(this.database, { ...lease, token: randomUUID() });
    if (works.length === 0) return 0;
    try {
      const results = await this.checkBatch(works);
      await endDue(
        this.database,
        works.filter(({ key }) => !results.has(key)),
      );
      for (const work of works) {
        const result = results.get(work.key);
        if (result) await this.record(work, result, now);
      }
      return works.length;
    } catch (error) {
      this.log.warn('mandates could not be checked', { plans: works.length, why: String(error) });
      for (const work of works) await leaveDue(this.database, work, now);
      return 0;
    }
  }

  /**
   * The results to record: plans whose mandate cannot collect the next installment, plans whose mandate can again, and plans whose step-up
   * is not taken (SIP-21).
   */
  private async checkBatch(works: readonly LeasedDue[]): Promise<ReadonlyMap<string, CheckResult>> {
    const plans = await findCollections(
      this.database,
      works.map(({ key }) => key),
    );
    const asked = new Map(plans.map(({ tenant, mandate }) => [mandate, { tenant, id: mandate }]));
    if (asked.size === 0) return new Map();
    const known = await this.mandates.findAll([...asked.values()]);
    const results = plans.map((plan) => {
      const facts = known.get(plan.mandate) ?? null;
      const copy = newerCopy(plan, facts);
      const { amount } = nextAmount({ ...plan, ...copy });
      return { plan, copy, why: whyUnusable(facts, { ...plan, amount }) };
    });
    return new Map(results.filter(hasNews).map((result) => [result.plan.plan_id, result] as const));
  }

  /**
   * Ends the work and records the result in one transaction. Work that was rescheduled meanwhile is for another date and stays.
   * When the plan has changed since it was read, an event of the mandate may have come: the result is discarded, and the check runs
   * again.
   */
  private async record(work: LeasedDue, { plan, copy, why }: CheckResult, now: Date): Promise<void> {
    try {
      await this.database.transaction(async (tx) => {
        const row = await PLAN.lock(tx, work.tenant, work.key);
        if (row && hasChanged(row, plan)) return giveDueBack(tx, [work]);
        if (!row || (await endDue(tx, [work])) === 0) return;
        // The check 3 days before a date is about that date, so it publishes what is known of others too.
        const isKnown = work.kind === PLAN_DUE.recheckMandate && why === row.reason;
        const checked = { ...row, ...copy };
        const steps = stepsOf(checked, { why: isKnown ? null : why, now: tx.now });
        await PLAN.recordAll(tx, [{ before: row, steps, after: steps.at(-1)?.row ?? checked }]);
        if (!why) await clearReasons(tx, [row.id]);
        await passFaultPoint('plans.mandate_check.before_commit');
      });
    } catch (error) {
      this.log.error('the result of a mandate check could not be recorded', error, { plan: work.key });
      await leaveDue(this.database, work, now);
    }
  }
}

/** Whether there is anything to record: also a copy that was out of date, or another held step than the one published. */
function hasNews({ plan, copy, why }: CheckResult): boolean {
  const isRenewed = copy.mandate_limit !== plan.mandate_limit;
  return (
    why !== null || plan.reason !== null || isRenewed || heldStepOf({ ...plan, ...copy }) !== plan.held_step
  );
}

type Seen = Pick<Plan, 'event_seq' | 'reason' | 'mandate_limit' | 'mandate_seq'>;

/** Whether an event has changed the plan, or what it knows of its mandate, since the mandate was asked for. */
function hasChanged(row: Seen, plan: Seen): boolean {
  const seenOf = ({ event_seq, reason, mandate_limit, mandate_seq }: Seen) =>
    [event_seq, reason, mandate_limit, mandate_seq].join();
  return seenOf(row) !== seenOf(plan);
}

/** What a check found: why the mandate cannot collect, as far as it is to be published. */
interface Found {
  readonly why: MandateReason | null;
  readonly now: Date;
}

function stepsOf(row: Plan, { why, now }: Found): PlanStep[] {
  const unusable = why ? [markMandateUnusable(row, why)] : [];
  return [...unusable, ...reportHeldStep(unusable[0]?.row ?? row, now)];
}
