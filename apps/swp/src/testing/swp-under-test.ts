import { EVENTS, newId, parseJson, planInstallment, stringifyJson } from '@fundrail/contracts';
import type {
  DrawResult,
  ErrorBody,
  EventType,
  MfRedemptionPlanDto,
  PlanInstallment,
} from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import type { GatewayPlanStatus } from '@fundrail/providers';
import { bootstrap, Log, type RunningService } from '@fundrail/service-kit';
import { migrate, type ServiceDefinition } from '@fundrail/service-kit/db';
import {
  createTestDatabase,
  FakeClock,
  serviceToken,
  tenantToken,
  waitFor,
  type TestDatabase,
} from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PLAN_GATEWAY } from '../gateway/plan-gateway.ts';
import { swpService } from '../index.ts';
import { swpWiring } from '../swp.module.ts';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakePlanGateway, PASSED } from './fake-plan-gateway.ts';
import { aPlanBody, NOW } from './plan.builder.ts';
import { redemptionObject } from './redemption-object.ts';

/** The answer to a request. `body` has the type that the caller names; specs check it. */
export interface Answered<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, unknown>>;
}

type Method = 'GET' | 'POST' | 'PATCH';
type Plan = MfRedemptionPlanDto;

export interface AskOptions {
  readonly body?: unknown;
  readonly tenant?: string;
  readonly scope?: string;
  readonly key?: string;
  /** Which of the replicas gets the request. */
  readonly at?: number;
}

export const PLANS = '/v2/mf_redemption_plans';

/** The service in one or more replicas on its own database, with a gateway, other services and a clock under the spec's control. */
export class SwpUnderTest {
  private sequence = 0;

  private constructor(
    readonly replicas: readonly RunningService[],
    readonly gateway: FakePlanGateway,
    readonly neighbours: FakeNeighbours,
    readonly clock: FakeClock,
    readonly log: string[],
    private readonly bus: InProcessBus,
    private readonly testDatabase: TestDatabase,
  ) {}

  static async start(count = 1, variables: Readonly<Record<string, string>> = {}): Promise<SwpUnderTest> {
    const testDatabase = await createTestDatabase();
    const [gateway, neighbours] = [new FakePlanGateway(), new FakeNeighbours()];
    const clock = new FakeClock(NOW);
    const definition = withGateway(gateway);
    await migrate(definition, testDatabase.url);
    const env = {
      ...{ SANDBOX: 'true', SWP_DATABASE_URL: testDatabase.url, GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9' },
      ...{ DUE_POLL_MS: '20', DATABASE_POOL_SIZE: '20', ...variables },
    };
    const lines: string[] = [];
    const log = Log.to('swp', 'info', { write: (line: string) => void lines.push(line) });
    const buses = Array.from({ length: count }, () => new InProcessBus({ groups: ['swp'] }));
    const replicas = await Promise.all(
      buses.map((bus) =>
        bootstrap(definition, { env, clock, bus, log, transport: neighbours, listen: false }),
      ),
    );
    const [bus] = buses;
    if (!bus) throw new Error('a service has at least one replica');
    return new SwpUnderTest(replicas, gateway, neighbours, clock, lines, bus, testDatabase);
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    await this.testDatabase.drop();
  }

  get service(): RunningService {
    return this.replica(0);
  }

  /** A tenant's request. The answer's body is not checked against `T`. */
  ask<T = Plan>(method: Method, url: string, options: AskOptions = {}): Promise<Answered<T>> {
    const { tenant = 'demo', scope, key, body, at } = options;
    const headers: Record<string, string> = {
      authorization: tenantToken(tenant, scope ?? '', this.clock.now()),
    };
    if (key !== undefined) headers['idempotency-key'] = key;
    return this.inject<T>(method, url, headers, body, at);
  }

  /** A request that is expected to be refused. */
  refused(method: Method, url: string, options: AskOptions = {}): Promise<Answered<ErrorBody>> {
    return this.ask<ErrorBody>(method, url, options);
  }

  /** What orders sends when its caller wants the next installment. */
  async draw(plan: string, redemption = newId('redemption'), at = 0, tenant = 'demo'): Promise<DrawResult> {
    const answer = await this.askToDraw(plan, redemption, at, tenant);
    expect(answer.status).toBe(200);
    return answer.body;
  }

  /** The same, without a check of the answer. */
  askToDraw(plan: string, redemption: string, at = 0, tenant = 'demo'): Promise<Answered<DrawResult>> {
    const headers = { authorization: serviceToken('orders') };
    return this.inject('POST', '/internal/swp/installments', headers, { tenant, plan, redemption }, at);
  }

  /** Sends a notification of gatewaypoa. */
  callback(
    reference: string,
    status: GatewayPlanStatus | null,
    event_id: string = randomUUID(),
    signature = 'good',
  ) {
    const headers = { 'x-gatewaypoa-signature': signature };
    const body = { event_id, reference, status };
    return this.inject<ErrorBody>('POST', '/callbacks/gatewaypoa/plans', headers, body);
  }

  /** An event of another service, delivered and consumed. Pass the same `id` to deliver the same event again. */
  async deliver(type: EventType, object: object, id = newId('event')): Promise<void> {
    this.sequence += 1;
    const envelope = {
      ...{ id, type, version: EVENTS[type].version, tenant: 'demo', sequence: 1, traceparent: null },
      aggregate_id: `of the test ${this.sequence}`,
      data: stringifyJson({ object, previous_attributes: null }),
      occurred_at: NOW.toISOString(),
    };
    const [outcome] = this.bus.publish([envelope]);
    expect(await outcome).toEqual({ published: true });
  }

  /** The event of orders when an installment's redemption has ended. */
  ended(
    installment: PlanInstallment,
    how: 'successful' | 'failed' | 'cancelled' = 'successful',
    id?: string,
  ): Promise<void> {
    return this.deliver(`mf_redemption.${how}`, redemptionObject(installment, how), id);
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

  /** Resolves when everything due by now is done. */
  async settled(): Promise<void> {
    await waitFor(async () => {
      const counts = await Promise.all(
        this.replicas.map(async ({ dueWorker, database }) => {
          const { due } = await dueWorker.countDue(await database.now());
          // A worker that is woken at each check never becomes idle.
          if (due > 0) dueWorker.wake();
          return due + dueWorker.inFlight;
        }),
      );
      return counts.every((count) => count === 0);
    });
  }

  /** Moves the clock to that time (IST), past everything that falls due, and waits until all of it is done. */
  async at(time: string): Promise<void> {
    this.clock.set(`${time}:00.000+05:30`);
    await this.settled();
  }

  wake(): void {
    for (const { dueWorker } of this.replicas) dueWorker.wake();
  }

  rows<T>(text: string, ...values: readonly unknown[]): Promise<T[]> {
    return this.service.database.dataSource.query<T[]>(text, [...values]);
  }

  /** The plan's events so far, without the prefix of their types. Fails when their sequence has a gap. */
  async eventsOf(id: string): Promise<string[]> {
    const rows = await this.rows<{ type: string; sequence: number }>(
      'SELECT type, sequence FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      id,
    );
    expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, index) => index + 1));
    return rows.map((row) => row.type.replace('mf_redemption_plan.', ''));
  }

  /** The published installments, in the order of publication, each parsed by its schema. */
  async published(id: string): Promise<PlanInstallment[]> {
    const rows = await this.rows<{ data: string }>(
      `SELECT data FROM outbox WHERE aggregate_id = $1 AND type = 'mf_redemption_plan.installment_generated' ORDER BY id`,
      id,
    );
    return rows.map(({ data }) => planInstallment.parse((parseJson(data) as { object: unknown }).object));
  }

  private replica(index: number): RunningService {
    const replica = this.replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    return replica;
  }

  private async inject<T>(
    method: Method,
    url: string,
    headers: Record<string, string>,
    body?: unknown,
    at = 0,
  ): Promise<Answered<T>> {
    const payload = body === undefined ? {} : { payload: stringifyJson(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const { fastify } = this.replica(at);
    const response = await fastify.inject({ method, url, headers: { ...headers, ...type }, ...payload });
    return { status: response.statusCode, body: parseJson(response.body) as T, headers: response.headers };
  }
}

/** The real service with a fake gateway. */
function withGateway(gateway: FakePlanGateway): ServiceDefinition {
  @Module(swpWiring({ provide: PLAN_GATEWAY, useValue: gateway }))
  class SwpWithFakeGateway {}
  return { ...swpService, module: SwpWithFakeGateway };
}
