import type { GatewayPlan, GatewayPlanStatus, PlanCallback, PlanGateway } from '../plan-ports.ts';
import { mapYes, type Answer, type CallbackHeaders } from '../answer.ts';
import { readPlanCallback, type CallbackCheck } from './callback.ts';
import { GatewaypoaClient, type GatewaypoaClientOptions } from './client.ts';
import { fromPlan, toPlanStatus } from './plan-transform.ts';
import { planObject } from './plan-wire.ts';
import { answerAbout } from './transform.ts';
import { route } from '../route.ts';

/** gatewaypoa as the gateway of redemption plans (GATE-1). The plan's id is the idempotency key of both calls. */
export class GatewaypoaPlans implements PlanGateway {
  readonly #client: GatewaypoaClient;
  readonly #check: CallbackCheck;

  constructor(options: GatewaypoaClientOptions & CallbackCheck) {
    this.#check = options;
    this.#client = new GatewaypoaClient(options);
  }

  async requestReview(plan: GatewayPlan): Promise<Answer<null>> {
    const answer = await this.#client.post(route`/plans/review`, plan.reference, fromPlan(plan));
    return mapYes(answerAbout({ reference: plan.reference }, answer, planObject), () => null);
  }

  async register(plan: GatewayPlan): Promise<Answer<GatewayPlanStatus>> {
    const answer = await this.#client.post(route`/plans/register`, plan.reference, fromPlan(plan));
    return mapYes(answerAbout({ reference: plan.reference }, answer, planObject), toPlanStatus);
  }

  async status(reference: string): Promise<Answer<GatewayPlanStatus>> {
    const answer = await this.#client.get(route`/plans/${reference}`);
    return mapYes(answerAbout({ reference }, answer, planObject), toPlanStatus);
  }

  readCallback(headers: CallbackHeaders, rawBody: string): PlanCallback {
    return readPlanCallback(this.#check, headers, rawBody);
  }

  /** Waits for running calls and closes the connections. */
  close(): Promise<void> {
    return this.#client.close();
  }
}
