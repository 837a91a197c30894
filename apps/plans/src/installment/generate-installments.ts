import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Database, isRefusedByData } from '@fundrail/service-kit/db';
import { DueLane } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { PlansConfig } from '../config.ts';
import { passFaultPoint } from '../fault-points.ts';
import {
  earliestInstallment,
  findFirstMoment,
  firstDuePlan,
  generateInstallmentOf,
  generateInstallments,
  setPlanAside,
  takeTurn,
  type DuePlan,
  type Generated,
  type Moment,
} from './installment.repository.ts';

/** How long a plan whose installment cannot be written is set aside (business time). An operator has to repair it first. */
const ASIDE_MS = 3_600_000;

/** The installments generated since the lane was last idle. */
interface Tally extends Generated {
  readonly batches: number;
}

const NOTHING: Tally = { batches: 0, installments: 0, skipped: 0, earliest: null, latest: null };

/**
 * Generates installments at 00:05 IST of their dates, exactly once with any number of schedulers (PLAN-16). Plans due earlier come
 * first, so a scheduler that was down catches up in order, one installment of a plan after another; of those due at the same time each
 * tenant has an equal share in a batch. A plan whose installment the
 * database refuses is set aside and does not block other plans.
 */
@Injectable()
export class GenerateInstallments extends DueLane {
  readonly name = 'installments';
  private tally = NOTHING;
  /** How many plans the next batch takes. Halved after each batch that cannot be written, until the failing plan is found. */
  private most: number;

  constructor(
    private readonly database: Database,
    private readonly config: PlansConfig,
    private readonly log: Log,
  ) {
    super();
    this.most = config.generationBatch;
  }

  earliestDue(before: Date): Promise<Date | null> {
    return earliestInstallment(this.database, before);
  }

  async run(now: Date): Promise<number> {
    const moment = await findFirstMoment(this.database, now, this.config.generationBatch);
    if (!moment) {
      this.logTally(now);
      return 0;
    }
    if (this.most === 1) return this.generateFirst(now, moment);
    try {
      return await this.generate(now, (tx) => generateInstallments(tx, this.most, moment));
    } catch (error) {
      if (!isRefusedByData(error)) throw error;
      this.most = Math.floor(this.most / 2);
      return 1;
    }
  }

  /**
   * Tries the first plan of each tenant alone after batches that could not be written: either one of them is the failing one, or the batches
   * grow again.
   */
  private async generateFirst(now: Date, { due_at, tenants }: Moment): Promise<number> {
    let made = 0;
    for (const tenant of tenants) {
      const plan = await firstDuePlan(this.database, due_at, tenant);
      if (plan) made += await this.generateAlone(now, plan);
    }
    return made;
  }

  /** Sets the plan aside when its installment cannot be written. */
  private async generateAlone(now: Date, plan: DuePlan): Promise<number> {
    try {
      return await this.generate(now, (tx) => generateInstallmentOf(tx, plan.plan_id));
    } catch (error) {
      if (!isRefusedByData(error)) throw error;
      const until = new Date(now.getTime() + ASIDE_MS);
      this.log.error('an installment cannot be written, so its plan is set aside', error, { ...plan, until });
      await setPlanAside(this.database, plan.plan_id, now, until);
      this.most = this.config.generationBatch;
      return 1;
    }
  }

  private async generate(now: Date, work: (tx: Tx) => Promise<Generated>): Promise<number> {
    const made = await this.database.transaction(async (tx) => {
      if (!(await takeTurn(tx))) return null;
      const batch = await work(tx);
      await passFaultPoint('plans.generate.before_commit');
      return batch;
    });
    // The scheduler that has the turn continues until nothing is due. This one tries again with its next poll.
    if (!made) return 0;
    await passFaultPoint('plans.generate.committed');
    this.most = Math.min(this.most * 2, this.config.generationBatch);
    if (made.installments === 0) this.logTally(now);
    else this.tally = added(this.tally, made);
    return made.installments;
  }

  /** Logs one line for the whole run, once nothing is left. */
  private logTally(now: Date): void {
    const { earliest, latest, ...counts } = this.tally;
    if (!earliest || !latest) return;
    this.tally = NOTHING;
    const lateMs = now.getTime() - earliest.getTime();
    this.log.info('installments were generated', { ...counts, earliest, latest, most_late_ms: lateMs });
  }
}

function added(tally: Tally, made: Generated): Tally {
  return {
    batches: tally.batches + 1,
    installments: tally.installments + made.installments,
    skipped: tally.skipped + made.skipped,
    earliest: tally.earliest ?? made.earliest,
    latest: made.latest,
  };
}
