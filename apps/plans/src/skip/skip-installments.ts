import {
  found,
  newId,
  type CreateSkipInstruction,
  type EitherId,
  type SkipInstructionDto,
} from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import type { Caller } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { findPlan } from '../plan/plan.repository.ts';
import { cancelSkips, findSkip, insertSkip, knownSkip } from './skip.repository.ts';
import { checkCancel, checkSkip, lastDayOf, toSkipInstruction } from './skip.ts';

/** Creates and cancels skip instructions under the plan's lock, so that generation sees each one completely (PLAN-26, PLAN-29). */
@Injectable()
export class SkipInstallments {
  constructor(private readonly database: Database) {}

  /** Throws 404, and the errors of `checkSkip`. */
  async create(caller: Caller, planId: EitherId, asked: CreateSkipInstruction): Promise<SkipInstructionDto> {
    const plan = found(await findPlan(this.database, caller.tenant, planId));
    const answer = await this.database.transaction(async (tx) => {
      const row = found(await PLAN.lock(tx, caller.tenant, plan.id));
      checkSkip(row, asked, tx.now);
      const id = newId('skipInstruction');
      const range = { from_date: asked.from, to_date: asked.to ?? null };
      await insertSkip(tx, { id, plan_id: row.id, tenant: row.tenant, ...range });
      const result = await caller.answer(
        tx,
        toSkipInstruction(await knownSkip(tx, caller.tenant, id), tx.now),
      );
      await passFaultPoint('plans.skip.before_commit');
      return result;
    });
    await passFaultPoint('plans.skip.committed');
    return answer;
  }

  /** Throws 404, and `IllegalTransition` unless the instruction is active. */
  async cancel(caller: Caller, id: string): Promise<SkipInstructionDto> {
    const known = await findSkip(this.database, caller.tenant, id);
    const planId = found(known?.kind === 'redemption' ? known.plan_id : null);
    const answer = await this.database.transaction(async (tx) => {
      const plan = await PLAN.lock(tx, caller.tenant, planId);
      const skip = await knownSkip(tx, caller.tenant, id);
      checkCancel(skip, tx.now);
      const of = { id: skip.plan_id, tenant: skip.tenant };
      await cancelSkips(tx, of, [skip], lastDayOf(tx.now, plan?.previous_date ?? null));
      const result = await caller.answer(
        tx,
        toSkipInstruction(await knownSkip(tx, caller.tenant, id), tx.now),
      );
      await passFaultPoint('plans.cancel_skip.before_commit');
      return result;
    });
    await passFaultPoint('plans.cancel_skip.committed');
    return answer;
  }
}
