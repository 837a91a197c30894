import type { gatewaypoaWire } from '@fundrail/providers';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { store } from '../store/simulator.tables.ts';
import {
  startRegistration,
  isSamePlan,
  takePlan,
  toPlanObject,
  type GatewayPlanRow,
} from './gateway-plan.ts';
import { REGISTER_PLAN, REVIEW_PLAN, savePlan } from './save-plan.ts';

/** Accepts a plan for review, and later for registration. A repeated reference returns the plan's current state. */
@Injectable()
export class TakePlan {
  constructor(private readonly db: Database) {}

  review(request: gatewaypoaWire.PlanRequest): Promise<gatewaypoaWire.PlanObject> {
    return this.db.transaction(async (tx) => {
      const fresh = takePlan(request, tx.now);
      if (!(await store.plans.insertOnce(tx, fresh))) return toPlanObject(await samePlan(tx, request));
      await workSoon(tx, REVIEW_PLAN, fresh);
      return toPlanObject(fresh);
    });
  }

  register(request: gatewaypoaWire.PlanRequest): Promise<gatewaypoaWire.PlanObject> {
    return this.db.transaction(async (tx) => {
      const row = await samePlan(tx, request);
      const started = startRegistration(row);
      if (!started) throw new GatewayRefusal(422, 'review_not_passed', 'the plan has not passed its review');
      if (started !== row) {
        await savePlan(tx, started);
        await workSoon(tx, REGISTER_PLAN, started);
      }
      return toPlanObject(started);
    });
  }
}

async function samePlan(tx: Tx, request: gatewaypoaWire.PlanRequest): Promise<GatewayPlanRow> {
  const { reference } = request;
  const row = known(await store.plans.lock(tx, { reference }), reference);
  mustBeSame(isSamePlan(row, request), 'reference belongs to another plan');
  return row;
}

function workSoon(tx: Tx, kind: string, { reference, tenant }: GatewayPlanRow): Promise<void> {
  return scheduleDue(tx, { kind, key: reference, tenant, due_at: tx.now });
}
