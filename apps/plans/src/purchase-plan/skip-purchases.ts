import {
  found,
  istDate,
  newId,
  type CreateSkipInstruction,
  type EitherId,
  type MfPurchasePlanDto,
  type PauseMfPurchasePlan,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { amended, IllegalTransition, mfPurchasePlanMachine } from '@fundrail/state-machines';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { failuresAllowed } from '../installment/installment-end.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { findPlan } from '../plan/plan.repository.ts';
import { leadDays, type Plan, type PlanStep } from '../plan/plan.ts';
import {
  activeSkips,
  cancelSkips,
  findComingDates,
  findSkip,
  insertSkip,
  knownSkip,
} from '../skip/skip.repository.ts';
import {
  checkCancel,
  checkSkip,
  earliestSkip,
  lastDayOf,
  toSkipInstruction,
  type Skip,
} from '../skip/skip.ts';
import { purchasePlansOf } from './purchase-plan.ts';
import { checkRange, rangeOfPause } from './skip-rules.ts';

type Range = CreateSkipInstruction & { readonly to: string };

/** Skip instructions of purchase plans, under the plan's lock, so that generation sees each one completely (SIP-22 to SIP-24). */
@Injectable()
export class SkipPurchases {
  constructor(private readonly database: Database) {}

  /** Throws 404, and the errors of `checkSkip` and `checkRange`. */
  create(caller: Caller, plan: EitherId, range: Range): Promise<SkipInstructionDto> {
    return this.instruct(caller, plan, async (tx, row, most) => {
      checkSkip(row, range, tx.now);
      checkRange(await findComingDates(tx, row.id), range, most);
      return range;
    });
  }

  /** Skips the next dates that can be skipped. Throws 404, and the errors of `rangeOfPause`. */
  pause(caller: Caller, plan: EitherId, { installments }: PauseMfPurchasePlan): Promise<SkipInstructionDto> {
    return this.instruct(caller, plan, async (tx, row, most) => {
      checkSkip(row, { from: earliestSkip(row, tx.now) }, tx.now);
      return rangeOfPause(row, await findComingDates(tx, row.id), installments, { most, now: tx.now });
    });
  }

  /** Throws 404, and `IllegalTransition` unless the instruction is active. */
  async cancel(caller: Caller, id: string): Promise<SkipInstructionDto> {
    const known = await findSkip(this.database, caller.tenant, id);
    const plan = known?.kind === 'purchase' ? known.plan_id : null;
    return this.cancelling(caller, found(plan), async (tx) => {
      const skip = await knownSkip(tx, caller.tenant, id);
      checkCancel(skip, tx.now);
      return {
        skips: [skip],
        answer: async () => toSkipInstruction(await knownSkip(tx, caller.tenant, id), tx.now),
      };
    });
  }

  /** Cancels every active instruction. Throws 404, and `IllegalTransition` when there is none. */
  async resume(caller: Caller, id: EitherId): Promise<MfPurchasePlanDto> {
    const plan = found(await findPlan(this.database, caller.tenant, id, 'purchase'));
    return this.cancelling(caller, plan.id, async (tx) => {
      const skips = await activeSkips(tx, caller.tenant, plan.id, istDate(tx.now));
      if (skips.length === 0)
        throw new IllegalTransition('skip_instruction', 'completed', 'resume', 'cancelled');
      return { skips, answer: (row) => Promise.resolve(purchasePlansOf(caller)(row)) };
    });
  }

  private async instruct(
    caller: Caller,
    id: EitherId,
    rangeOf: (tx: Tx, row: Plan, most: number) => Promise<Range>,
  ): Promise<SkipInstructionDto> {
    const { tenant } = caller;
    const plan = found(await findPlan(this.database, tenant, id, 'purchase'));
    const answer = await this.database.transaction(async (tx) => {
      const row = found(await PLAN.lock(tx, tenant, plan.id));
      const { from, to } = await rangeOf(tx, row, failuresAllowed(row, tx.now) - 1);
      const skip = newId('skipInstruction');
      await insertSkip(tx, { id: skip, plan_id: row.id, tenant, from_date: from, to_date: to });
      await record(tx, row, 'mf_purchase_plan.paused', 1);
      const made = toSkipInstruction(await knownSkip(tx, tenant, skip), tx.now);
      const result = await caller.answer(tx, made);
      await passFaultPoint('plans.skip.before_commit');
      return result;
    });
    await passFaultPoint('plans.skip.committed');
    return answer;
  }

  private async cancelling<A>(
    caller: Caller,
    plan: string,
    choose: (
      tx: Tx,
    ) => Promise<{ readonly skips: readonly Skip[]; readonly answer: (row: Plan) => Promise<A> }>,
  ): Promise<A> {
    const answer = await this.database.transaction(async (tx) => {
      const row = found(await PLAN.lock(tx, caller.tenant, plan));
      const { skips, answer: answerOf } = await choose(tx);
      const lastDay = lastDayOf(tx.now, row.previous_date, leadDays(row));
      await cancelSkips(tx, row, skips, lastDay);
      const after = await record(tx, row, 'mf_purchase_plan.resumed', skips.length);
      const result = await caller.answer(tx, await answerOf(after));
      await passFaultPoint('plans.cancel_skip.before_commit');
      return result;
    });
    await passFaultPoint('plans.cancel_skip.committed');
    return answer;
  }
}

/** Publishes that instructions were made or cancelled, with what the plan is after them. Returns that. */
async function record(
  tx: Tx,
  before: Plan,
  type: 'mf_purchase_plan.paused' | 'mf_purchase_plan.resumed',
  instructions: number,
): Promise<Plan> {
  const steps: PlanStep[] = [];
  // Read again: `paused_until` follows from the instructions.
  let row = found(await findPlan(tx, before.tenant, before));
  for (let left = instructions; left > 0; left -= 1) {
    const step = amended(mfPurchasePlanMachine, row, 'change_skips', { events: [type] });
    steps.push(step);
    row = step.row;
  }
  await PLAN.record(tx, before, ...steps);
  return row;
}
