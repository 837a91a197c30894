import {
  EVENTS,
  parseJson,
  stringifyJson,
  type ErrorBody,
  type EventType,
  type MfPurchaseDto,
  type MfRedemptionDto,
} from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { bootstrap, type RunningService } from '@fundrail/service-kit';
import { sql } from '@fundrail/persistence';
import { migrate } from '@fundrail/service-kit/db';
import { createTestDatabase, FakeClock, serviceToken, tenantToken, waitFor } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakeOrderGateway } from './fake-order-gateway.ts';
import { FakePlans } from './fake-plans.ts';
import { ACCOUNT, CONTACTS, MONDAY } from './purchase.builder.ts';
import { serviceWithFakes, serviceWithGatewaypoa, type Outside } from './service-with-fakes.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** The answer to a request. `body` has the type that the caller names; specs check it. */
export interface Answered<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly tenant?: string;
  readonly key?: string;
}

/** The service on its own database, with a gateway, other services, plans and a clock under the spec's control. */
export class OrdersUnderTest {
  private constructor(
    readonly running: RunningService,
    private readonly bus: InProcessBus,
    private readonly outside: Outside,
    private readonly isReplica: boolean,
  ) {}

  /** With `gatewaypoaUrl` the service calls gatewaypoa there with its real adapter, and the fake `gateway` is not used. */
  static async start({ gatewaypoaUrl }: Pick<Outside, 'gatewaypoaUrl'> = {}): Promise<OrdersUnderTest> {
    const testDatabase = await createTestDatabase();
    const gateway = new FakeOrderGateway();
    const plans = new FakePlans();
    const outside = { gateway, plans, neighbours: new FakeNeighbours(), clock: new FakeClock(MONDAY) };
    await migrate(serviceWithFakes(gateway, plans), testDatabase.url);
    const where = gatewaypoaUrl === undefined ? {} : { gatewaypoaUrl };
    return OrdersUnderTest.over({ ...outside, ...where, testDatabase }, false);
  }

  /** Another process of the service, on the same database. */
  replica(): Promise<OrdersUnderTest> {
    return OrdersUnderTest.over(this.outside, true);
  }

  private static async over(outside: Outside, isReplica: boolean): Promise<OrdersUnderTest> {
    const { gateway, plans, neighbours, clock, testDatabase, gatewaypoaUrl } = outside;
    const bus = new InProcessBus({ groups: ['orders'] });
    const env = {
      SANDBOX: 'true',
      // No request is sent there while the gateway is a fake.
      GATEWAYPOA_BASE_URL: gatewaypoaUrl ?? 'http://127.0.0.1:1',
      ORDERS_DATABASE_URL: testDatabase.url,
      LOG_LEVEL: 'silent',
      DUE_POLL_MS: '20',
      DATABASE_POOL_SIZE: '20',
    };
    const around = { env, clock, bus, transport: neighbours, listen: false };
    const service =
      gatewaypoaUrl === undefined ? serviceWithFakes(gateway, plans) : serviceWithGatewaypoa(plans);
    return new OrdersUnderTest(await bootstrap(service, around), bus, outside, isReplica);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    if (!this.isReplica) await this.outside.testDatabase.drop();
  }

  get gateway(): FakeOrderGateway {
    return this.outside.gateway;
  }

  get neighbours(): FakeNeighbours {
    return this.outside.neighbours;
  }

  get plans(): FakePlans {
    return this.outside.plans;
  }

  get clock(): FakeClock {
    return this.outside.clock;
  }

  /** A tenant's request. The answer's body is not checked against `T`. */
  async ask<T = MfPurchaseDto>(method: Method, url: string, options: AskOptions = {}): Promise<Answered<T>> {
    const headers: Record<string, string> = {
      authorization: tenantToken(options.tenant ?? 'demo', '', this.clock.now()),
    };
    if (options.key !== undefined) headers['idempotency-key'] = options.key;
    return this.inject<T>(method, url, headers, options.body);
  }

  /** A request that is expected to be refused. */
  refused(method: Method, url: string, options: AskOptions = {}): Promise<Answered<ErrorBody>> {
    return this.ask<ErrorBody>(method, url, options);
  }

  /** A request of another service. */
  internal<T>(url: string, body: unknown): Promise<Answered<T>> {
    return this.inject<T>('POST', url, { authorization: serviceToken('payments') }, body);
  }

  /** A callback of the gateway with one of `STORIES`. */
  callback(reference: string, status: string, event_id: string = randomUUID(), signature = 'good') {
    return this.inject<ErrorBody>(
      'POST',
      '/callbacks/gatewaypoa/orders',
      { 'x-gatewaypoa-signature': signature },
      { event_id, reference, status },
    );
  }

  /** An event of another service, delivered and consumed. */
  async deliver(
    type: EventType,
    aggregateId: number | string,
    object: object,
    id = `evt_${randomUUID()}`,
  ): Promise<void> {
    const data = stringifyJson({ object, previous_attributes: null });
    const envelope = {
      type,
      version: EVENTS[type].version,
      tenant: 'demo',
      aggregate_id: String(aggregateId),
      sequence: 1,
      data,
    };
    const [outcome] = this.bus.publish([
      { ...envelope, id, occurred_at: MONDAY.toISOString(), traceparent: null },
    ]);
    expect(await outcome).toEqual({ published: true });
  }

  async create(body: object = {}): Promise<MfPurchaseDto> {
    const request = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000, ...body };
    const answer = await this.ask('POST', '/v2/mf_purchases', { body: request });
    expect(answer).toMatchObject({ status: 200, body: { state: 'under_review' } });
    return answer.body;
  }

  /** A redemption under review, of ₹5000 or with the terms of `body`. */
  async createRedemption(body: object = {}): Promise<MfRedemptionDto> {
    const request = {
      mf_investment_account: ACCOUNT,
      scheme: 'INF173K01FE6',
      folio_number: '123/45',
      ...body,
    };
    const answer = await this.ask<MfRedemptionDto>('POST', '/v2/mf_redemptions', { body: request });
    expect(answer).toMatchObject({ status: 200, body: { state: 'under_review' } });
    return answer.body;
  }

  /** A purchase that waits for consent. */
  async createPending(body: object = {}): Promise<MfPurchaseDto> {
    const { id } = await this.create(body);
    await this.callback(id, 'reviewed');
    return this.inState(id, 'pending');
  }

  /** A redemption that waits for consent. */
  async createPendingRedemption(body: object = { amount: 5000 }): Promise<MfRedemptionDto> {
    const { id } = await this.createRedemption(body);
    await this.callback(id, 'reviewed');
    return this.inState<MfRedemptionDto>(id, 'pending');
  }

  /** A purchase that can be paid for. */
  async createPayable(body: object = {}): Promise<MfPurchaseDto> {
    const { id } = await this.createPending(body);
    return (await this.ask('PATCH', '/v2/mf_purchases', { body: { id, consent: CONTACTS } })).body;
  }

  /** A purchase that the gateway has accepted, held by that payment. */
  async createSubmitted(paymentId: number): Promise<MfPurchaseDto> {
    const { id, old_id } = await this.createPayable();
    await this.claim(paymentId, [old_id]);
    await this.ask('PATCH', '/v2/mf_purchases', { body: { id, state: 'confirmed' } });
    return this.inState(id, 'submitted');
  }

  /** One claim, as payments sends it. */
  async claim(payment_id: number, amc_order_ids: readonly number[], more: object = {}) {
    const claim = {
      ...{ tenant: 'demo', payment_id, amc_order_ids, investor_profile: null, replaces: [] },
      ...more,
    };
    const { body } = await this.internal<{
      results: { outcome: string; code?: string; claimed_by?: number[] }[];
    }>('/internal/claims', { claims: [claim] });
    const [result] = body.results;
    if (!result) throw new Error('a claim has no result');
    return result;
  }

  /** The order: a redemption by its id, a purchase by either of its ids. */
  async get<T = MfPurchaseDto>(id: string | number): Promise<T> {
    const kind = String(id).startsWith('mfrd_') ? 'mf_redemptions' : 'mf_purchases';
    return (await this.ask<T>('GET', `/v2/${kind}/${id}`)).body;
  }

  /** Waits until the order is in that state. */
  inState<T extends MfPurchaseDto | MfRedemptionDto = MfPurchaseDto>(
    id: string,
    state: T['state'],
  ): Promise<T> {
    return waitFor(
      async () => {
        const order = await this.get<T>(id);
        return order.state === state ? order : null;
      },
      { what: `${id} to be ${state}` },
    );
  }

  /** Resolves when everything due by now is done. */
  async settled(): Promise<void> {
    const { dueWorker, database } = this.running;
    const due = async () => (await dueWorker.countDue(await database.now())).due;
    await waitFor(async () => (await due()) === 0 && dueWorker.inFlight === 0);
  }

  /** A separate connection, for locks that the spec holds. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.outside.testDatabase.url });
    await client.connect();
    return client;
  }

  /** The order's events so far, by sequence. */
  async eventsOf(id: string): Promise<string[]> {
    const statement = sql(
      'test.events',
      'SELECT type, sequence FROM outbox WHERE aggregate_id = $1 ORDER BY sequence',
    );
    const rows = await this.running.database.query<{ type: string; sequence: number }>(statement, [id]);
    expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, index) => index + 1));
    return rows.map((row) => row.type.replace(/^mf_\w+\./, ''));
  }

  async historyOf(oldId: number): Promise<string[]> {
    const statement = sql(
      'test.history',
      'SELECT trigger FROM mf_order_history WHERE old_id = $1 ORDER BY event_seq',
    );
    return (await this.running.database.query<{ trigger: string }>(statement, [oldId])).map(
      (row) => row.trigger,
    );
  }

  /** The payment that holds the order. */
  async holderOf(oldId: number): Promise<number | null> {
    const statement = sql('test.holder', 'SELECT claimed_by FROM mf_orders WHERE old_id = $1');
    const [row] = await this.running.database.query<{ claimed_by: number | null }>(statement, [oldId]);
    return row?.claimed_by ?? null;
  }

  private async inject<T>(
    method: Method,
    url: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answered<T>> {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await this.running.fastify.inject({
      method,
      url,
      headers: { ...headers, ...type },
      ...payload,
    });
    return { status: response.statusCode, body: parseJson(response.body) as T, headers: response.headers };
  }
}
