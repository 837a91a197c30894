import type { GatewayPlanStatus, PlanGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import {
  HandlesDue,
  pursue,
  type DueResult,
  type DueWork,
  type OutsideAnswer,
  type OutsideCall,
} from '@fundrail/service-kit/due';
import type { MfRedemptionPlanState } from '@fundrail/state-machines';
import { Inject, Injectable } from '@nestjs/common';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { countSilentSince, findPlan, markGatewayAnswer } from '../plan/plan.repository.ts';
import type { Plan } from '../plan/plan.ts';
import { LearnPlanFacts } from './learn-plan-facts.ts';
import { factsOfRegistration, factsOfReview, PLAN_GATEWAY, toGatewayPlan } from './plan-gateway.ts';

type GatewayCall = OutsideCall<Plan, GatewayPlanStatus>;
const NOT_FOUND = { kind: 'not_found' } as const;
const UNKNOWN_THERE = { kind: 'unknown', why: 'not_found', detail: 'the gateway does not have it' } as const;

/**
 * Talks to the order gateway about plans. It makes the call first, then asks for the state after 5 s, 30 s, 5 min, 1 h and then
 * hourly, until the plan has left the state that waits for the gateway. Every call carries our plan id as its idempotency key.
 */
@Injectable()
export class GatewayWork {
  constructor(
    @Inject(PLAN_GATEWAY) private readonly gateway: PlanGateway,
    private readonly database: Database,
    private readonly learn: LearnPlanFacts,
    private readonly log: Log,
  ) {}

  @HandlesDue(PLAN_DUE.review)
  review(work: DueWork): Promise<DueResult> {
    const send = async (row: Plan) => factsOfReview(await this.gateway.requestReview(toGatewayPlan(row)));
    return pursue(this.callOf('created', { send: { name: 'swp.review', call: send } }), work);
  }

  @HandlesDue(PLAN_DUE.register)
  register(work: DueWork): Promise<DueResult> {
    const call = this.callOf('confirmed', {
      ask: { name: 'swp.status', call: (row) => this.askForRegistration(row) },
      send: { name: 'swp.register', call: (row) => this.sendRegistration(row) },
    });
    return pursue(call, work);
  }

  /**
   * Asks for the state of a submitted plan until it is registered; asks once about any plan after a callback that was not
   * understood.
   */
  @HandlesDue(PLAN_DUE.status)
  status(work: DueWork): Promise<DueResult> {
    const call = this.callOf('submitted', {
      load: (asked) => this.find(asked),
      asksFirst: () => true,
      ask: { name: 'swp.status', call: (row) => this.askForState(row) },
      send: { name: 'swp.register', call: (row) => this.sendRegistration(row) },
    });
    return pursue(call, work);
  }

  /** A call for a plan that waits for the gateway in this state. */
  private callOf(
    waiting: MfRedemptionPlanState,
    parts: Pick<GatewayCall, 'send'> & Partial<GatewayCall>,
  ): GatewayCall {
    return {
      load: async (work) => {
        const row = await this.find(work);
        return row?.state === waiting ? row : null;
      },
      ask: { name: 'swp.status', call: (row) => this.gateway.status(row.id) },
      apply: async ({ tenant, id }, facts) => {
        const after = await this.learn.execute(tenant, id, facts);
        return after?.state === waiting ? 'later' : 'done';
      },
      silence: {
        log: this.log,
        what: 'a plan',
        about: ({ tenant, id, state }) => ({ tenant, id, state }),
        record: async (row) => {
          const now = await this.database.now();
          await markGatewayAnswer(this.database, row, false, now);
          return { since: row.unanswered_since ?? now, now };
        },
        countSince: (since) => countSilentSince(this.database, since),
      },
      ...parts,
    };
  }

  private async sendRegistration(row: Plan): Promise<OutsideAnswer<GatewayPlanStatus>> {
    return factsOfRegistration(await this.gateway.register(toGatewayPlan(row)));
  }

  /** A gateway that has reviewed the plan but has no registration of it has not received our call. */
  private async askForRegistration(row: Plan): Promise<OutsideAnswer<GatewayPlanStatus>> {
    const answer = await this.gateway.status(row.id);
    return answer.kind === 'yes' && answer.value.registration.result === 'none' ? NOT_FOUND : answer;
  }

  /** Only a submitted plan is sent again: any other has its own call. */
  private async askForState(row: Plan): Promise<OutsideAnswer<GatewayPlanStatus>> {
    const answer = await this.gateway.status(row.id);
    return answer.kind === 'not_found' && row.state !== 'submitted' ? UNKNOWN_THERE : answer;
  }

  private find(work: DueWork): Promise<Plan | null> {
    return findPlan(this.database, work.tenant, { id: work.key });
  }
}
