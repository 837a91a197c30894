import { newId, parseJson, planInstallment } from '@fundrail/contracts';
import type { DrawResult, MfRedemptionPlanDto, PlanInstallment } from '@fundrail/contracts';
import type { GatewayPlanStatus } from '@fundrail/providers';
import type { ServiceDefinition } from '@fundrail/service-kit/db';
import { FakeClock, ServiceStage, startService, waitFor } from '@fundrail/testing';
import type { Answered, AskOptions, Method, StartedService } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PLAN_GATEWAY } from '../gateway/plan-gateway.ts';
import { plansService } from '../index.ts';
import { plansWiring } from '../plans.module.ts';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakePlanGateway, PASSED } from './fake-plan-gateway.ts';
import { aPlanBody, NOW } from './plan.builder.ts';
import { redemptionObject } from './redemption-object.ts';

type Plan = MfRedemptionPlanDto;

export const PLANS = '/v2/mf_redemption_plans';

/** The service in one or more replicas on its own database, with a gateway, other services and a clock under the spec's control. */
export class PlansUnderTest extends ServiceStage {
  private constructor(
    started: StartedService,
    readonly gateway: FakePlanGateway,
    readonly neighbours: FakeNeighbours,
    readonly log: string[],
  ) {
    super(started);
  }

  static async start(count = 1, variables: Readonly<Record<string, string>> = {}): Promise<PlansUnderTest> {
    const [gateway, transport, lines] = [new FakePlanGateway(), new FakeNeighbours(), [] as string[]];
    const around = { clock: new FakeClock(NOW), transport, count, variables, lines };
    return new PlansUnderTest(await startService(withGateway(gateway), around), gateway, transport, lines);
  }

  override ask<T = Plan>(method: Method, url: string, options?: AskOptions): Promise<Answered<T>> {
    return super.ask<T>(method, url, options);
  }

  /** What orders sends when its caller wants the next installment. */
  async draw(plan: string, redemption = newId('redemption'), at = 0, tenant = 'demo'): Promise<DrawResult> {
    const answer = await this.askToDraw(plan, redemption, at, tenant);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  /** The same, without a check of the answer. */
  askToDraw(plan: string, redemption: string, at = 0, tenant = 'demo'): Promise<Answered<DrawResult>> {
    return this.asService('orders', '/internal/plans/installments', { tenant, plan, redemption }, at);
  }

  /** Sends a notification of gatewaypoa. */
  callback(
    reference: string,
    status: GatewayPlanStatus | null,
    event_id: string = randomUUID(),
    signature = 'good',
  ) {
    return this.fromGatewaypoa('plans', { event_id, reference, status }, signature);
  }

  /** The event of orders when an installment's redemption has ended. */
  ended(
    installment: PlanInstallment,
    how: 'successful' | 'failed' | 'cancelled' = 'successful',
    id?: string,
  ): Promise<void> {
    return this.consume(`mf_redemption.${how}`, redemptionObject(installment, how), { id });
  }

  async create(changes: object = {}): Promise<Plan> {
    const answer = await this.ask('POST', PLANS, { body: aPlanBody(changes) });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return answer.body;
  }

  /** Creates a plan that is reviewed, confirmed with its consent and registered: active from now on. */
  async createActive(changes: object = {}): Promise<Plan> {
    const { id } = await this.create(changes);
    await this.callback(id, PASSED);
    return this.inState(id, 'active');
  }

  async get(id: string): Promise<Plan> {
    return (await this.ask('GET', `${PLANS}/${id}`)).body;
  }

  /** Waits until the plan is in that state. */
  inState(id: string, state: Plan['state']): Promise<Plan> {
    return waitFor(
      async () => {
        this.wake();
        const plan = await this.get(id);
        return plan.state === state ? plan : null;
      },
      { what: `plan ${id} to be ${state}` },
    );
  }

  /** Moves the clock to that time (IST), past everything that falls due, and waits until all of it is done. */
  async at(time: string): Promise<void> {
    this.clock.set(`${time}:00.000+05:30`);
    await this.settled();
  }

  /** The published installments, in the order of publication, each parsed by its schema. */
  async published(id: string): Promise<PlanInstallment[]> {
    const rows = await this.rows<{ data: string }>(
      `SELECT data FROM outbox WHERE aggregate_id = $1 AND type = 'mf_redemption_plan.installment_generated' ORDER BY id`,
      id,
    );
    return rows.map(({ data }) => planInstallment.parse((parseJson(data) as { object: unknown }).object));
  }
}

/** The real service with a fake gateway. */
function withGateway(gateway: FakePlanGateway): ServiceDefinition {
  @Module(plansWiring({ provide: PLAN_GATEWAY, useValue: gateway }))
  class PlansWithFakeGateway {}
  return { ...plansService, module: PlansWithFakeGateway };
}
