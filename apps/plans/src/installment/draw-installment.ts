import { istDate, type DrawInstallment as Asked, type DrawResult } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { cancelDue, HandlesDue, scheduleDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { PLAN } from '../plan/plan.aggregate.ts';
import { countDrawn } from '../plan/plan.ts';
import { findDrawnInstallment, insertDrawn } from './installment.repository.ts';
import { judgeDraw } from './drawing.ts';
import { publishInstallment } from './publish-installment.ts';

/** After this time orders has stored the redemption, unless it crashed. The event is published in either case; orders knows the id. */
const PUBLISH_AFTER_MS = 60_000;

/** Draws the next installment of a plan without automatic generation. Idempotent by the redemption's id (PLAN-19). */
@Injectable()
export class DrawInstallment {
  constructor(private readonly database: Database) {}

  async execute(asked: Asked): Promise<DrawResult> {
    const result = await this.database.transaction(async (tx) => {
      const drawn = await draw(tx, asked);
      await passFaultPoint('plans.draw.before_commit');
      return drawn;
    });
    await passFaultPoint('plans.draw.committed');
    return result;
  }

  /** Publishes a drawn installment, because orders may never have stored its redemption (CALL-7). */
  @HandlesDue(PLAN_DUE.publish)
  async publish({ tenant, key }: DueWork): Promise<DueResult> {
    const installment = await findDrawnInstallment(this.database, tenant, key);
    if (!installment) return 'done';
    return this.database.transaction<DueResult>(async (tx) => {
      await cancelDue(tx, PLAN_DUE.publish, key);
      await publishInstallment(tx, tenant, installment);
      await passFaultPoint('plans.publish.before_commit');
      return 'done';
    });
  }
}

async function draw(tx: Tx, { tenant, plan, redemption }: Asked): Promise<DrawResult> {
  const row = await PLAN.lock(tx, tenant, plan);
  const known = await findDrawnInstallment(tx, tenant, redemption);
  if (known?.plan === plan) return { outcome: 'drawn', installment: known };
  const judged = judgeDraw(row, known);
  if ('outcome' in judged) return judged;
  const date = istDate(tx.now);
  const step = countDrawn(judged, date);
  await insertDrawn(tx, judged, { number: step.row.made, redemption, date });
  await PLAN.record(tx, judged, step);
  const due_at = new Date(tx.now.getTime() + PUBLISH_AFTER_MS);
  await scheduleDue(tx, { kind: PLAN_DUE.publish, key: redemption, tenant, due_at });
  const installment = await findDrawnInstallment(tx, tenant, redemption);
  if (!installment) throw new Error(`${redemption} was drawn but is not stored`);
  return { outcome: 'drawn', installment };
}
