import { istDate, type DrawInstallment as Asked, type DrawResult } from '@fundrail/contracts';
import { Database, type Tx } from '@fundrail/service-kit/db';
import { cancelDue, HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { lockPlan } from '../plan/plan.repository.ts';
import { countDrawn } from '../plan/plan.ts';
import { recordSteps } from '../plan/record-steps.ts';
import { findDrawnInstallment, insertDrawn } from './installment.repository.ts';
import { judgeDraw } from './drawing.ts';
import { tellOfInstallment } from './tell-installment.ts';

/** By then orders has stored the redemption, unless it died in between; it is told all the same, and knows the id. */
const TELL_AFTER_MS = 60_000;

/** Draws the next installment of a plan whose caller generates them, idempotent by the redemption's id (contract §2, §5). */
@Injectable()
export class DrawInstallment {
  constructor(private readonly database: Database) {}

  async execute(asked: Asked): Promise<DrawResult> {
    const result = await this.database.transaction(async (tx) => {
      const drawn = await draw(tx, asked);
      await passFaultPoint('swp.draw.before_commit');
      return drawn;
    });
    await passFaultPoint('swp.draw.committed');
    return result;
  }

  /** Tells orders of a drawn installment whose redemption it may never have stored (architecture §11). */
  @HandlesDue(PLAN_DUE.tell)
  async tell({ tenant, key }: DueWork): Promise<DueResult> {
    const installment = await findDrawnInstallment(this.database, tenant, key);
    if (!installment) return 'done';
    return this.database.transaction<DueResult>(async (tx) => {
      await cancelDue(tx, PLAN_DUE.tell, key);
      await tellOfInstallment(tx, tenant, installment);
      await passFaultPoint('swp.tell.before_commit');
      return 'done';
    });
  }
}

async function draw(tx: Tx, { tenant, plan, redemption }: Asked): Promise<DrawResult> {
  const row = await lockPlan(tx, tenant, plan);
  const known = await findDrawnInstallment(tx, tenant, redemption);
  if (known?.plan === plan) return { outcome: 'drawn', installment: known };
  const judged = judgeDraw(row, known);
  if ('outcome' in judged) return judged;
  const date = istDate(tx.now);
  const step = countDrawn(judged, date);
  await insertDrawn(tx, judged, { number: step.row.made, redemption, date });
  await recordSteps(tx, judged, [step]);
  const due_at = new Date(tx.now.getTime() + TELL_AFTER_MS);
  await scheduleDue(tx, { kind: PLAN_DUE.tell, key: redemption, tenant, due_at });
  const installment = await findDrawnInstallment(tx, tenant, redemption);
  if (!installment) throw new Error(`${redemption} was drawn and is not there`);
  return { outcome: 'drawn', installment };
}
