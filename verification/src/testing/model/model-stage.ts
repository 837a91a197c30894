import { InProcessTransport } from '@fundrail/standalone';
import { addDays, istDate, istInstant } from '@fundrail/contracts';
import { InProcessBus, type EventBus } from '@fundrail/messaging';
import { identityService } from '@fundrail/identity';
import { PaymentProviders, paymentsService, paymentsWiring } from '@fundrail/payments';
import type { RunningService, ServiceDefinition } from '@fundrail/service-kit';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import { inject, publishOnly, ServiceProcesses, waitFor, waitForRest } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import type { ApiAnswer } from '../api-client.ts';
import { LaggingBus } from '../lagging-bus.ts';
import { OutsideWorld, PlayedProvider } from './outside-world.ts';
import { insertPayable, playedOrders } from './played-orders.ts';

const INSERT_PAYABLE = insertPayable('1000 + n');
const MOVE = 'UPDATE business_clock SET offset_ms = offset_ms + $1';
/** A token lives 30 minutes. */
const TOKEN_MS = 20 * 60_000;
const STILL = 'SELECT count(*)::int AS n FROM outbox WHERE published_at IS NULL';

/** What connects the services; by default nothing is late and nothing is lost. */
interface Between {
  readonly bus?: EventBus;
  /** Wraps the calls between the services. */
  readonly through?: (transport: ServiceTransport) => ServiceTransport;
}

export const MODEL_GROUPS = ['identity', 'orders', 'payments'];

/** The real identity, orders and payments, each on its database; the test plays the outside systems. */
export class ModelStage {
  readonly world = new OutsideWorld();
  private readonly processes = new Map<string, ServiceProcesses>();
  private readonly running = new Map<string, RunningService>();
  private owner: readonly [string, string] = ['', ''];
  private token = { text: '', until: 0 };
  private events = 0;
  private readonly transport = new InProcessTransport();
  private readonly bus: EventBus;

  private constructor(private readonly between: Between) {
    this.bus = between.bus ?? new InProcessBus({ groups: MODEL_GROUPS });
  }

  static async start(between: Between = {}): Promise<ModelStage> {
    const stage = new ModelStage(between);
    await Promise.all(stage.parts().map((part) => stage.run(part)));
    await stage.rows('identity', `UPDATE tenants SET settings = settings || '{"sdk_options_enabled": true}'`);
    stage.owner = await stage.findOwner();
    return stage;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.processes.values()].map((processes) => processes.end()));
  }

  /** Another process of payments, which runs due work beside the first one. It receives no events. */
  async anotherPayments(): Promise<void> {
    await this.process('payments', publishOnly(this.bus));
  }

  now(): Promise<Date> {
    return this.at('payments').database.now();
  }

  rows<T>(service: string, text: string, values: unknown[] = []): Promise<T[]> {
    return this.at(service).database.dataSource.query<T[]>(text, values);
  }

  async payableOrders(count: number): Promise<{ old_id: number; id: string }[]> {
    const now = await this.at('orders').database.now();
    return this.rows('orders', INSERT_PAYABLE, [count, ...this.owner, now]);
  }

  /** A call of a client, or of an outside system to the callbacks. */
  async send(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    body?: object,
    admin = false,
  ): Promise<Pick<ApiAnswer, 'status' | 'body'>> {
    const authorization = await this.authorization(admin);
    const isOfOrders = url.startsWith('/v2') || url === '/callbacks/gatewaypoa/orders';
    const service = this.at(isOfOrders ? 'orders' : 'payments');
    const answer = await inject(service, { method, url, headers: { authorization }, body });
    return { status: answer.status, body: answer.json() };
  }

  /** Reports to payments the state at the provider. */
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

  /** Reports to orders what the registrar has decided about an order. */
  async reportOrder(reference: string): Promise<void> {
    const { status } = await this.send('POST', '/callbacks/gatewaypoa/orders', [
      `e${(this.events += 1)}`,
      reference,
    ]);
    if (status !== 200) throw new Error(`the callback about ${reference} was answered ${status}`);
  }

  /** A request of an investor's browser: without a token, but with a cookie. */
  async browse(
    method: 'GET' | 'POST',
    url: string,
    cookie: string | null,
    form?: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly cookie: string | null }> {
    const answer = await inject(this.at('payments'), {
      method,
      url,
      headers: {
        ...{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'document' },
        ...(cookie ? { cookie } : {}),
      },
      body: form && new URLSearchParams(form),
    });
    const [set] = answer.cookies;
    return { status: answer.status, cookie: set ? `${set.name}=${set.value}` : null };
  }

  /** Lets business time pass, and waits until all due work is done. */
  async pass(ms: number): Promise<void> {
    await this.move(ms);
    await this.quiet();
  }

  /** Whether events may be late. */
  get isLate(): boolean {
    return this.between.bus !== undefined;
  }

  /** Lets time pass until that long before or after the next 23:00 IST. */
  async toTheNight(beforeOrAfterMs: number): Promise<void> {
    const now = await this.now();
    const nights = [0, 1].map((days) => istInstant(addDays(istDate(now), days), '23:00').getTime());
    const at = nights.map((night) => night + beforeOrAfterMs).find((time) => time > now.getTime());
    if (at !== undefined) await this.pass(at - now.getTime());
  }

  /** Lets business time pass, without waiting. */
  async move(ms: number): Promise<void> {
    await Promise.all(['orders', 'payments'].map((name) => this.rows(name, MOVE, [ms])));
  }

  /** Waits until two checks in a row find nothing due, under way or unpublished. */
  quiet(limitMs = 60_000): Promise<void> {
    return waitForRest(() => this.isIdle(), { everyMs: 4, limitMs });
  }

  private async isIdle(): Promise<boolean> {
    const { bus } = this;
    if (bus instanceof LaggingBus) bus.arriveUntil(await this.now());
    const services = ['orders', 'payments'].map((name) => ({ name, ...this.at(name) }));
    for (const { dueWorker } of services) dueWorker.wake();
    // Checked only after the woken lanes have ended: if each check woke them, they would always be at work.
    await waitFor(() => services.every(({ dueWorker }) => dueWorker.inFlight === 0), { everyMs: 1 });
    const moving = await Promise.all(
      services.map(async ({ name, database, dueWorker }) => {
        const [unpublished] = await this.rows<{ n: number }>(name, STILL);
        const { due } = await dueWorker.countDue(await database.now());
        return due + (unpublished?.n ?? 0);
      }),
    );
    return moving.every((count) => count === 0) && (await this.arriving()) === 0;
  }

  /** What the bus still has to deliver, without what lags on purpose. */
  private async arriving(): Promise<number> {
    const { bus } = this;
    if (bus instanceof LaggingBus) return bus.arriving;
    const counts = await Promise.all(MODEL_GROUPS.map((group) => bus.unconsumed(group)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  private parts(): ServiceDefinition[] {
    const { world } = this;
    const gatewaypoa = new PlayedProvider('GATEWAYPOA', world);
    const providers = new PaymentProviders([gatewaypoa, new PlayedProvider('SDKVENDOR', world)], gatewaypoa);
    @Module(paymentsWiring({ provide: PaymentProviders, useValue: providers }))
    class PlayedPayments {}
    return [identityService, playedOrders(world), { ...paymentsService, module: PlayedPayments }];
  }

  private async run(definition: ServiceDefinition): Promise<void> {
    const { name } = definition;
    this.processes.set(name, await ServiceProcesses.on(definition));
    const service = await this.process(name, this.bus);
    this.running.set(name, service);
    this.transport.add(definition.name, service.fastify);
  }

  private process(name: string, bus: EventBus): Promise<RunningService> {
    const processes = this.processes.get(name);
    if (!processes) throw new Error(`${name} has no database`);
    const url = 'http://127.0.0.1:1';
    const env = { PUBLIC_BASE_URL: url, GATEWAYPOA_BASE_URL: url, DUE_POLL_MS: '50' };
    return processes.start({ env, bus, transport: this.between.through?.(this.transport) ?? this.transport });
  }

  private at(name: string): RunningService {
    const service = this.running.get(name);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  }

  private findOwner(): Promise<readonly [string, string]> {
    return waitFor(async () => {
      const text = "SELECT id, primary_investor FROM mf_investment_accounts WHERE tenant = 'demo'";
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
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    const answer = await inject(this.at('identity'), { method: 'POST', url: '/v2/auth/demo/token', body });
    return `Bearer ${answer.json<{ access_token: string }>().access_token}`;
  }
}
