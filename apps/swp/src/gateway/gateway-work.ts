import type { Answer, GatewayPlanStatus, PlanGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database } from '@fundrail/service-kit/db';
import { HandlesDue, type DueResult, type DueWork } from '@fundrail/service-kit/due';
import type { MfRedemptionPlanState } from '@fundrail/state-machines';
import { Inject, Injectable } from '@nestjs/common';
import { passFaultPoint } from '../fault-points.ts';
import { PLAN_DUE } from '../plan/plan-due.ts';
import { countSilentSince, findPlan, markGatewayAnswer } from '../plan/plan.repository.ts';
import type { Plan } from '../plan/plan.ts';
import { LearnPlanFacts } from './learn-plan-facts.ts';
import { factsOfRegistration, factsOfReview, PLAN_GATEWAY, toGatewayPlan } from './plan-gateway.ts';

/** A plan without an understood answer for this long counts as unresolved (GATE-5). */
const UNRESOLVED_AFTER_MS = 24 * 3_600_000;

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
    return this.pursue(work, 'created', (row) => this.sendReview(row));
  }

  @HandlesDue(PLAN_DUE.register)
  register(work: DueWork): Promise<DueResult> {
    return this.pursue(work, 'confirmed', (row) => this.sendRegistration(row));
  }

  /**
   * Asks for the state of a submitted plan until it is registered; asks once about any plan after a callback that was not
   * understood.
   */
  @HandlesDue(PLAN_DUE.status)
  async status(work: DueWork): Promise<DueResult> {
    const row = await this.find(work);
    if (!row) return 'done';
    const answer = await this.ask(row);
    if (answer.kind === 'not_found' && row.state === 'submitted') return this.sendRegistration(row);
    if (answer.kind !== 'yes') return this.unanswered(row, answer);
    return this.conclude(row, 'submitted', answer.value);
  }

  private async pursue(
    work: DueWork,
    waiting: MfRedemptionPlanState,
    send: (row: Plan) => Promise<DueResult>,
  ): Promise<DueResult> {
    const row = await this.find(work);
    if (row?.state !== waiting) return 'done';
    if (work.attempts === 0) return send(row);
    const answer = await this.ask(row);
    if (answer.kind === 'not_found') return send(row);
    if (answer.kind !== 'yes') return this.unanswered(row, answer);
    // The gateway has reviewed the plan but has no registration of it: our call never arrived.
    const neverArrived = waiting === 'confirmed' && answer.value.registration.result === 'none';
    return neverArrived ? send(row) : this.conclude(row, waiting, answer.value);
  }

  private async sendReview(row: Plan): Promise<DueResult> {
    await passFaultPoint('swp.review.before_call');
    const answer = await this.gateway.requestReview(toGatewayPlan(row));
    await passFaultPoint('swp.review.called');
    const facts = factsOfReview(answer);
    return facts ? this.conclude(row, 'created', facts) : this.unanswered(row, answer);
  }

  private async sendRegistration(row: Plan): Promise<DueResult> {
    await passFaultPoint('swp.register.before_call');
    const answer = await this.gateway.register(toGatewayPlan(row));
    await passFaultPoint('swp.register.called');
    const facts = factsOfRegistration(answer);
    return facts ? this.conclude(row, row.state, facts) : this.unanswered(row, answer);
  }

  private async ask(row: Plan): Promise<Answer<GatewayPlanStatus>> {
    await passFaultPoint('swp.status.before_call');
    const answer = await this.gateway.status(row.id);
    await passFaultPoint('swp.status.called');
    return answer;
  }

  private async conclude(
    row: Plan,
    waiting: MfRedemptionPlanState,
    facts: GatewayPlanStatus,
  ): Promise<DueResult> {
    const after = await this.learn.execute(row.tenant, row.id, facts);
    return after?.state === waiting ? 'later' : 'done';
  }

  /** No answer is not a failure: the plan keeps its state, and the gateway is asked again later. */
  private async unanswered(row: Plan, answer: Answer<unknown>): Promise<DueResult> {
    const now = await this.database.now();
    await markGatewayAnswer(this.database, row, false, now);
    const about = { tenant: row.tenant, id: row.id, state: row.state, ...described(answer) };
    const silentMs = now.getTime() - (row.unanswered_since ?? now).getTime();
    if (silentMs >= UNRESOLVED_AFTER_MS) {
      const since = new Date(now.getTime() - UNRESOLVED_AFTER_MS);
      const in_all = await countSilentSince(this.database, since);
      this.log.warn('a plan is unresolved', { ...about, silent_since: row.unanswered_since, in_all });
    } else this.log.info('the gateway gave no usable answer', about);
    return 'later';
  }

  private find(work: DueWork): Promise<Plan | null> {
    return findPlan(this.database, work.tenant, { id: work.key });
  }
}

function described(answer: Answer<unknown>): Record<string, string> {
  return answer.kind === 'unknown' ? { why: answer.why, detail: answer.detail } : { why: answer.kind };
}
