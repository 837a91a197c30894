import { InProcessBus } from '@fundrail/messaging';
import { identityService } from '@fundrail/identity';
import { ORDER_GATEWAY, ordersConfig, ordersService, ordersWiring } from '@fundrail/orders';
import { PaymentProviders, paymentsService, paymentsWiring } from '@fundrail/payments';
import { bootstrap, Log } from '@fundrail/service-kit';
import type { RunningService, ServiceDefinition } from '@fundrail/service-kit';
import { migrate } from '@fundrail/service-kit/db';
import { createTestDatabase, waitFor, waitForRest } from '@fundrail/testing';
import type { TestDatabase } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { InProcessTransport } from '../../edge/in-process-transport.ts';
import { OutsideWorld, PlayedProvider, playedOrderGateway } from './outside-world.ts';

const INSERT_PAYABLE = `
  INSERT INTO mf_orders (old_id, id, tenant, kind, mf_investment_account, investor_profile, scheme, state, type, amount, gateway,
    consent, created_at, review_completed_at, event_seq)
  SELECT n, 'mfp_' || lpad(to_hex(n), 32, '0'), 'demo', 'purchase', $2, $3, 'INF173K01FE6', 'pending', 'fresh', 1000 + n, 'gatewaypoa',
    '{"email":"investor@example.com","isd_code":null,"mobile":null}', $4, $4, 3
  FROM (SELECT nextval('mf_orders_old_id_seq') AS n FROM generate_series(1, $1::int)) AS numbers RETURNING old_id, id`;
const MOVE = 'UPDATE business_clock SET offset_ms = offset_ms + $1';
/** A token lives 30 minutes. */
const TOKEN_MS = 20 * 60_000;
const STILL = 'SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL';

export interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** The real identity, orders and payments, each on its database, in the middle of an outside that the test plays. */
export class ModelStage {
  readonly world = new OutsideWorld();
  private readonly databases: TestDatabase[] = [];
  private readonly running = new Map<string, RunningService>();
  private owner: readonly [string, string] = ['', ''];
  private token = { text: '', until: 0 };
  private events = 0;

  static async start(): Promise<ModelStage> {
    const stage = new ModelStage();
    const parts = stage.parts();
    const bus = new InProcessBus({ groups: parts.map(({ name }) => name) });
    const transport = new InProcessTransport();
    await Promise.all(parts.map((part) => stage.run(part, bus, transport)));
    await stage.rows('identity', `UPDATE tenants SET settings = settings || '{"sdk_options_enabled": true}'`);
    stage.owner = await stage.findOwner();
    return stage;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.running.values()].map((service) => service.stop()));
    await Promise.all(this.databases.map((database) => database.drop()));
  }

  rows<T>(service: string, text: string, values: unknown[] = []): Promise<T[]> {
    return this.at(service).database.dataSource.query<T[]>(text, values);
  }

  async payableOrders(count: number): Promise<{ old_id: number; id: string }[]> {
    const now = await this.at('orders').database.now();
    return this.rows('orders', INSERT_PAYABLE, [count, ...this.owner, now]);
  }

  /** A call of a client; to the callbacks, of the outside. */
  async send(method: 'GET' | 'POST' | 'PATCH', url: string, body?: object, admin = false): Promise<Answered> {
    const authorization = await this.authorization(admin);
    const isOfOrders = url.startsWith('/v2') || url === '/callbacks/gatewaypoa/orders';
    const answer = await this.at(isOfOrders ? 'orders' : 'payments').fastify.inject({
      method,
      url,
      headers: { authorization },
      ...(body ? { payload: body } : {}),
    });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  }

  /** Tells payments what is so at the provider. */
  async callBack(
    provider: string,
    reference: string,
    capture = 0,
    event = `e${(this.events += 1)}`,
  ): Promise<string> {
    const body = [event, reference, String(capture)];
    const path = provider === 'SDKVENDOR' ? 'sdkvendor' : 'gatewaypoa/payments';
    const { status } = await this.send('POST', `/callbacks/${path}`, body);
    if (status !== 200) throw new Error(`the callback about ${reference} was answered ${status}`);
    return event;
  }

  /** Tells orders what the registrar has said of an order. */
  async tellOfOrder(reference: string): Promise<void> {
    const { status } = await this.send('POST', '/callbacks/gatewaypoa/orders', [
      `e${(this.events += 1)}`,
      reference,
    ]);
    if (status !== 200) throw new Error(`the callback about ${reference} was answered ${status}`);
  }

  /** What an investor's browser gets: no token, but a cookie. */
  async browse(
    method: 'GET' | 'POST',
    url: string,
    cookie: string | null,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly cookie: string | null }> {
    const answer = await this.at('payments').fastify.inject({
      method,
      url,
      headers: {
        'sec-fetch-site': 'same-origin',
        'sec-fetch-dest': 'document',
        ...(cookie ? { cookie } : {}),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { payload: new URLSearchParams(form).toString() } : {}),
    });
    const [set] = answer.cookies;
    return { status: answer.statusCode, cookie: set ? `${set.name}=${set.value}` : null };
  }

  /** Lets business time pass, and all that fell due end. */
  async pass(ms: number): Promise<void> {
    await Promise.all(['orders', 'payments'].map((name) => this.rows(name, MOVE, [ms])));
    await this.quiet();
  }

  /** Waits until nothing is due, under way or untold, two looks in a row. */
  quiet(): Promise<void> {
    return waitForRest(() => this.isStill(), { everyMs: 4, limitMs: 20_000 });
  }

  private async isStill(): Promise<boolean> {
    const services = ['orders', 'payments'].map((name) => ({ name, ...this.at(name) }));
    for (const { dueWorker } of services) dueWorker.wake();
    // Looked at only once the woken lanes have ended: woken at each look, they would always be found at work.
    await waitFor(() => services.every(({ dueWorker }) => dueWorker.inFlight === 0), { everyMs: 1 });
    const moving = await Promise.all(
      services.map(async ({ name, database, dueWorker }) => {
        const [unpublished] = await this.rows<{ n: number }>(name, STILL);
        const { due } = await dueWorker.countDue(await database.now());
        return due + (unpublished?.n ?? 0);
      }),
    );
    return moving.every((count) => count === 0);
  }

  private parts(): ServiceDefinition[] {
    const { world } = this;
    const gatewaypoa = new PlayedProvider('GATEWAYPOA', world);
    const providers = new PaymentProviders([gatewaypoa, new PlayedProvider('SDKVENDOR', world)], gatewaypoa);
    const gateway = { provide: ORDER_GATEWAY, useValue: playedOrderGateway(world) };
    const orders = ordersWiring(gateway);
    @Module(paymentsWiring({ provide: PaymentProviders, useValue: providers }))
    class PlayedPayments {}
    @Module({ ...orders, providers: [ordersConfig, ...(orders.providers ?? [])] })
    class PlayedOrders {}
    return [
      identityService,
      { ...ordersService, module: PlayedOrders },
      { ...paymentsService, module: PlayedPayments },
    ];
  }

  private async run(definition: ServiceDefinition, bus: InProcessBus, transport: InProcessTransport) {
    const database = await createTestDatabase();
    this.databases.push(database);
    await migrate(definition, database.url);
    const url = 'http://127.0.0.1:1';
    const env = {
      ...{ SANDBOX: 'true', PUBLIC_BASE_URL: url, GATEWAYPOA_BASE_URL: url, DUE_POLL_MS: '50' },
      [`${definition.name.toUpperCase()}_DATABASE_URL`]: database.url,
    };
    const log = Log.to(definition.name, 'silent');
    const service = await bootstrap(definition, { env, bus, transport, listen: false, log });
    this.running.set(definition.name, service);
    transport.add(definition.name, service.fastify);
  }

  private at(name: string): RunningService {
    const service = this.running.get(name);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  }

  private findOwner(): Promise<readonly [string, string]> {
    return waitFor(async () => {
      const text = 'SELECT id, primary_investor FROM mf_investment_accounts LIMIT 1';
      const [row] = await this.rows<{ id: string; primary_investor: string }>('identity', text);
      return row ? ([row.id, row.primary_investor] as const) : null;
    });
  }

  private async authorization(admin: boolean): Promise<string> {
    if (admin) return this.tokenOf('admin', 'admin-secret');
    if (Date.now() > this.token.until)
      this.token = { text: await this.tokenOf('demo', 'demo-secret'), until: Date.now() + TOKEN_MS };
    return this.token.text;
  }

  private async tokenOf(client_id: string, client_secret: string): Promise<string> {
    const answer = await this.at('identity').fastify.inject({
      method: 'POST',
      url: '/v2/auth/demo/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id,
        client_secret,
      }).toString(),
    });
    return `Bearer ${answer.json<{ access_token: string }>().access_token}`;
  }
}
