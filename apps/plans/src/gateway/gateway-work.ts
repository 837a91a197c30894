import type { GatewayPlanStatus, PlanGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { GatewayCalls, HandlesDue, pursue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import { Inject, Injectable } from '@nestjs/common';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { countSilentSince, findPlan, markGatewayAnswer } from '../plan/plan.repository.ts';
import type { Plan } from '../plan/plan.ts';
import { LearnPlanFacts } from './learn-plan-facts.ts';
import { factsOfRegistration, factsOfReview, PLAN_GATEWAY, toGatewayPlan } from './plan-gateway.ts';

/** Calls the order gateway about plans. */
@Injectable()
export class GatewayWork {
  private readonly calls: GatewayCalls<Plan, GatewayPlanStatus>;
  private readonly registration = {
    name: 'plans.register',
    call: async (row: Plan) => factsOfRegistration(await this.gateway.register(toGatewayPlan(row))),
  };

  constructor(
    @Inject(PLAN_GATEWAY) private readonly gateway: PlanGateway,
    database: Database,
    learn: LearnPlanFacts,
    log: Log,
  ) {
    this.calls = new GatewayCalls({
      ...{ what: 'a plan', log, database },
      find: ({ tenant, key: id }) => findPlan(database, tenant, { id }),
      status: { name: 'plans.status', call: ({ id }) => gateway.status(id) },
      hasArrived: ({ registration }) => registration.result !== 'none',
      learn: (tenant, id, facts) => learn.execute(tenant, id, facts),
      markUnanswered: (row, now) => markGatewayAnswer(database, row, false, now),
      countSince: (since) => countSilentSince(database, since),
    });
  }

  @HandlesDue(PLAN_DUE.review)
  review(work: DueWork): Promise<DueResult> {
    const send = async (row: Plan) => factsOfReview(await this.gateway.requestReview(toGatewayPlan(row)));
    return pursue(this.calls.callOf('created', { send: { name: 'plans.review', call: send } }), work);
  }

  @HandlesDue(PLAN_DUE.register)
  register(work: DueWork): Promise<DueResult> {
    const [send, ask] = [this.registration, this.calls.askForArrival()];
    return pursue(this.calls.callOf('confirmed', { ask, send }), work);
  }

  @HandlesDue(PLAN_DUE.status)
  status(work: DueWork): Promise<DueResult> {
    return pursue(this.calls.callOfSubmitted(this.registration), work);
  }
}
