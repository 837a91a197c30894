import type { EventType, MfPurchaseDto, MfRedemptionDto } from '@fundrail/contracts';
import type { RunningService } from '@fundrail/service-kit';
import { FakeClock, ServiceStage, startService, waitFor } from '@fundrail/testing';
import type { Answered, AskOptions, Method, StartedService, TestDatabase } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakeOrderGateway } from './fake-order-gateway.ts';
import { FakePlans } from './fake-plans.ts';
import { ACCOUNT, CONTACTS, MONDAY } from './purchase.builder.ts';
import { serviceWithFakes, serviceWithGatewaypoa, type Outside } from './service-with-fakes.ts';

/** The service on its own database, with a gateway, other services, plans and a clock under the spec's control. */
export class OrdersUnderTest extends ServiceStage {
  private constructor(
    started: StartedService,
    private readonly outside: Outside,
  ) {
    super(started);
  }

  /** With `gatewaypoaUrl` the service calls gatewaypoa there with its real adapter, and the fake `gateway` is not used. */
  static async start({
    gatewaypoaUrl,
    lines,
  }: Pick<Outside, 'gatewaypoaUrl' | 'lines'> = {}): Promise<OrdersUnderTest> {
    const fakes = {
      gateway: new FakeOrderGateway(),
      plans: new FakePlans(),
      neighbours: new FakeNeighbours(),
    };
    const where = { ...(gatewaypoaUrl !== undefined && { gatewaypoaUrl }), ...(lines && { lines }) };
    return OrdersUnderTest.over({ ...fakes, ...where, clock: new FakeClock(MONDAY) });
  }

  /** Another process of the service, on the same database. */
  replica(): Promise<OrdersUnderTest> {
    return OrdersUnderTest.over(this.outside, this.testDatabase);
  }

  private static async over(outside: Outside, beside?: TestDatabase): Promise<OrdersUnderTest> {
    const { gateway, plans, neighbours, clock, lines, gatewaypoaUrl: url } = outside;
    const service = url === undefined ? serviceWithFakes(gateway, plans) : serviceWithGatewaypoa(plans);
    const variables: Record<string, string> = url === undefined ? {} : { GATEWAYPOA_BASE_URL: url };
    const around = { clock, transport: neighbours, variables };
    const more = { ...(beside && { beside }), ...(lines && { lines }) };
    return new OrdersUnderTest(await startService(service, { ...around, ...more }), outside);
  }

  get running(): RunningService {
    return this.service;
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

  override ask<T = MfPurchaseDto>(method: Method, url: string, options?: AskOptions): Promise<Answered<T>> {
    return super.ask<T>(method, url, options);
  }

  /** A request of another service. */
  internal<T>(url: string, body: unknown): Promise<Answered<T>> {
    return this.asService<T>('payments', url, body);
  }

  /** A callback of the gateway with one of `STORIES`. */
  callback(reference: string, status: string, event_id: string = randomUUID(), signature = 'good') {
    return this.fromGatewaypoa('orders', { event_id, reference, status }, signature);
  }

  /** An event of another service, delivered and consumed. */
  deliver(type: EventType, about: number | string, object: object, id?: string): Promise<void> {
    return this.consume(type, object, { id, about: String(about) });
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

  /** A separate connection, for locks that the spec holds. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.testDatabase.url });
    await client.connect();
    return client;
  }

  async historyOf(oldId: number): Promise<string[]> {
    const text = 'SELECT trigger FROM mf_order_history WHERE old_id = $1 ORDER BY event_seq';
    return (await this.rows<{ trigger: string }>(text, oldId)).map(({ trigger }) => trigger);
  }

  /** The payment that holds the order. */
  async holderOf(oldId: number): Promise<number | null> {
    const text = 'SELECT claimed_by FROM mf_orders WHERE old_id = $1';
    const [row] = await this.rows<{ claimed_by: number | null }>(text, oldId);
    return row?.claimed_by ?? null;
  }
}
