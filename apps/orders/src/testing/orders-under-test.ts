import { EVENTS, parseJson, type ErrorBody, type EventType, type MfPurchaseDto } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { bootstrap, type RunningService } from '@fundrail/service-kit';
import { migrate, sql, type ServiceDefinition } from '@fundrail/service-kit/db';
import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { ORDER_GATEWAY } from '../gateway/order-gateway.ts';
import { ordersService } from '../index.ts';
import { ordersWiring } from '../orders.module.ts';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakeOrderGateway } from './fake-order-gateway.ts';
import { ACCOUNT, CONTACTS, MONDAY } from './purchase.builder.ts';
import { serviceToken, tenantToken } from './tokens.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a request came to. `body` is what the caller says it is: specs look at it. */
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

/** The service on a database of its own, with a gateway, neighbours and a clock that the spec leads. */
export class OrdersUnderTest {
  private constructor(
    readonly running: RunningService,
    readonly gateway: FakeOrderGateway,
    readonly neighbours: FakeNeighbours,
    readonly clock: FakeClock,
    private readonly bus: InProcessBus,
    private readonly testDatabase: TestDatabase,
  ) {}

  static async start(): Promise<OrdersUnderTest> {
    const testDatabase = await createTestDatabase();
    const gateway = new FakeOrderGateway();
    const neighbours = new FakeNeighbours();
    const clock = new FakeClock(MONDAY);
    const bus = new InProcessBus({ groups: ['orders'] });
    const definition = withGateway(gateway);
    await migrate(definition, testDatabase.url);
    const env = {
      SANDBOX: 'true',
      ORDERS_DATABASE_URL: testDatabase.url,
      LOG_LEVEL: 'silent',
      DUE_POLL_MS: '20',
      DATABASE_POOL_SIZE: '20',
    };
    const running = await bootstrap(definition, { env, clock, bus, transport: neighbours, listen: false });
    return new OrdersUnderTest(running, gateway, neighbours, clock, bus, testDatabase);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.testDatabase.drop();
  }

  /** A tenant's request; the answer's body is not checked against `T`. */
  async ask<T = MfPurchaseDto>(method: Method, url: string, options: AskOptions = {}): Promise<Answered<T>> {
    const headers: Record<string, string> = { authorization: tenantToken(options.tenant ?? 'demo') };
    if (options.key !== undefined) headers['idempotency-key'] = options.key;
    return this.inject<T>(method, url, headers, options.body);
  }

  /** A request that is expected to be refused. */
  refused(method: Method, url: string, options: AskOptions = {}): Promise<Answered<ErrorBody>> {
    return this.ask<ErrorBody>(method, url, options);
  }

  /** A neighbour's request. */
  internal<T>(url: string, body: unknown): Promise<Answered<T>> {
    return this.inject<T>('POST', url, { authorization: serviceToken('payments') }, body);
  }

  /** A callback of the gateway that says one of `STORIES`. */
  callback(reference: string, status: string, event_id: string = randomUUID(), signature = 'good') {
    return this.inject<ErrorBody>(
      'POST',
      '/callbacks/gatewaypoa/orders',
      { 'x-gatewaypoa-signature': signature },
      { event_id, reference, status },
    );
  }

  /** An event of another service, delivered and consumed. */
  async deliver(type: EventType, paymentId: number, object: object): Promise<void> {
    const data = JSON.stringify({ object, previous_attributes: null });
    const envelope = {
      type,
      version: EVENTS[type].version,
      tenant: 'demo',
      aggregate_id: String(paymentId),
      sequence: 1,
      data,
    };
    const [outcome] = this.bus.publish([
      { ...envelope, id: `evt_${randomUUID()}`, occurred_at: MONDAY.toISOString(), traceparent: null },
    ]);
    expect(await outcome).toEqual({ published: true });
  }

  async create(body: object = {}): Promise<MfPurchaseDto> {
    const request = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000, ...body };
    const answer = await this.ask('POST', '/v2/mf_purchases', { body: request });
    expect(answer).toMatchObject({ status: 200, body: { state: 'under_review' } });
    return answer.body;
  }

  /** A purchase that waits for consent. */
  async createPending(body: object = {}): Promise<MfPurchaseDto> {
    const { id } = await this.create(body);
    await this.callback(id, 'reviewed');
    return this.inState(id, 'pending');
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
  async claim(payment_id: number, amc_order_ids: readonly number[], replaces: readonly number[] = []) {
    const claim = { tenant: 'demo', payment_id, amc_order_ids, investor_profile: null, replaces };
    const { body } = await this.internal<{
      results: { outcome: string; code?: string; claimed_by?: number[] }[];
    }>('/internal/claims', { claims: [claim] });
    const [result] = body.results;
    if (!result) throw new Error('a claim was not answered');
    return result;
  }

  async get(id: string | number): Promise<MfPurchaseDto> {
    return (await this.ask('GET', `/v2/mf_purchases/${id}`)).body;
  }

  /** Waits until the order is in that state. */
  inState(id: string, state: MfPurchaseDto['state']): Promise<MfPurchaseDto> {
    return waitFor(
      async () => {
        const order = await this.get(id);
        return order.state === state ? order : null;
      },
      { what: `${id} to be ${state}` },
    );
  }

  /** Resolves when everything that is due by now has been worked. */
  async settled(): Promise<void> {
    const { dueWorker, database } = this.running;
    await waitFor(async () => {
      const { due } = await dueWorker.countDue(await database.now());
      return due === 0 && dueWorker.inFlight === 0;
    });
  }

  /** A connection of the spec's own, for locks that it wants to hold. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.testDatabase.url });
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
    return rows.map((row) => row.type.replace('mf_purchase.', ''));
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

  /** Who holds the order. */
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

/** The real service but for its gateway. */
function withGateway(gateway: FakeOrderGateway): ServiceDefinition {
  @Module(ordersWiring({ provide: ORDER_GATEWAY, useValue: gateway }))
  class OrdersWithFakeGateway {}
  return { ...ordersService, module: OrdersWithFakeGateway };
}
