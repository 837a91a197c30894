import type { ServiceName } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { MandateProviders, mandatesService, mandatesWiring } from '@fundrail/mandates';
import { PaymentProviders, paymentsService, paymentsWiring } from '@fundrail/payments';
import type { RunningService, ServiceDefinition } from '@fundrail/service-kit';
import {
  emptying,
  FakeClock,
  inject,
  publishOnly,
  ServiceProcesses,
  serviceToken,
  setFaultHandler,
  tenantToken,
  waitForRest,
} from '@fundrail/testing';
import { Module } from '@nestjs/common';
import type { ApiAnswer } from '../../api-client.ts';
import { insertPayable, playedOrders } from '../played-orders.ts';
import { MandatesWorld } from './mandates-world.ts';
import { ACCOUNT, INVESTOR } from './played-identity.ts';
import { PlayedNeighbours } from './played-neighbours.ts';
import { StrictProvider } from './strict-provider.ts';

type Name = 'orders' | 'payments' | 'mandates';
const NAMES: readonly Name[] = ['orders', 'payments', 'mandates'];
/** Payments and mandates run twice, so that two workers meet. */
const REPLICAS: Readonly<Record<Name, number>> = { orders: 1, payments: 2, mandates: 2 };
/** Twice the longest pause before failed work is retried, an hour. */
const SWEPT_WITHIN = 2 * 3_600_000;
/** An unused address: requests come without a socket. */
const OWN_URL = 'http://127.0.0.1:1';
const KEPT = ['migrations', 'business_clock', 'holiday_copies'];
const INSERT_PAYABLE = insertPayable('1000');
const WAITING = `SELECT (SELECT count(*) FROM outbox WHERE published_at IS NULL)::int AS unsent,
  (SELECT count(*) FROM due_work WHERE due_at <= $1)::int AS due`;

/** The real orders, payments and mandates, each on its database, and simulated outside systems that check each call. */
export class MandatesStage {
  readonly clock = new FakeClock();
  readonly world = new MandatesWorld(this.clock);
  readonly neighbours = new PlayedNeighbours((service) => this.running(service), this.world);
  private readonly processes = new Map<Name, ServiceProcesses>();
  private readonly replicas = new Map<Name, RunningService[]>();
  private readonly bus = new InProcessBus({ groups: [...NAMES] });
  private readonly definitions = definitionsOver(this.world);
  private readonly emptied = new Map<Name, string>();
  private turn = 0;
  private breaks = false;
  private brokeAt = new Date(0);

  static async start(): Promise<MandatesStage> {
    const stage = new MandatesStage();
    await Promise.all(
      NAMES.map(async (name) => {
        stage.processes.set(name, await ServiceProcesses.on(stage.definitions[name]));
        const services = await Promise.all(
          Array.from({ length: REPLICAS[name] }, (_, index) => stage.boot(name, index)),
        );
        stage.replicas.set(name, services);
        stage.emptied.set(name, await emptying(stage.one(name), (table) => KEPT.includes(table)));
      }),
    );
    return stage;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.processes.values()].map((processes) => processes.end()));
  }

  /** Deletes everything, and starts again at this time with that many payable orders. */
  async begin(at: Date, orders: number): Promise<{ old_id: number; id: string }[]> {
    this.beWell();
    await this.quiet();
    this.world.clear();
    this.brokeAt = new Date(0);
    this.neighbours.troubledAt = new Date(0);
    await Promise.all(NAMES.map((name) => this.rows(name, this.emptied.get(name) ?? '')));
    this.clock.set(at);
    return this.rows('orders', INSERT_PAYABLE, [orders, ACCOUNT, INVESTOR, at]);
  }

  rows<T>(name: Name, text: string, values: unknown[] = []): Promise<T[]> {
    return this.one(name).database.dataSource.query<T[]>(text, values);
  }

  /** A call of a client, or of a provider to the callbacks; one of the replicas answers. */
  async send(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    body?: object,
  ): Promise<Pick<ApiAnswer, 'status' | 'body'>> {
    const authorization = url.startsWith('/internal')
      ? serviceToken('orders')
      : tenantToken('demo', 'admin', this.clock.now(), { iss: OWN_URL });
    const services = this.running(serviceOf(url));
    const service = services[(this.turn += 1) % services.length];
    if (!service) throw new Error(`no service has the route ${url}`);
    const answer = await inject(service, { method, url, headers: { authorization }, body });
    return { status: answer.status, body: answer.json() };
  }

  /** The statuses that are allowed besides the expected ones while something is failing. */
  get excuses(): readonly number[] {
    const { mood, isSlow, isBusy, refusal } = this.world;
    const isWell = mood === 'well' && !isSlow && !isBusy && refusal === null;
    return isWell && !this.neighbours.isTroubled && !this.breaks ? [] : [500, 503];
  }

  /** Whether no call between the services has failed lately, so nothing waits for a sweep or for a retry. */
  get isCalm(): boolean {
    const last = Math.max(this.neighbours.troubledAt.getTime(), this.brokeAt.getTime());
    const isOver = !this.neighbours.isTroubled && !this.breaks;
    return isOver && this.clock.now().getTime() - last > SWEPT_WITHIN;
  }

  /** Throws at the next pass of this fault point. */
  breakOnce(point: string): void {
    const fault = setFaultHandler(point);
    this.breaks = true;
    void fault.reached.then(() => {
      this.breaks = false;
      this.brokeAt = this.clock.now();
      fault.fail(new Error(`it broke at ${point}`));
    });
  }

  /** Runs `act` at the next pass of this fault point, which goes on afterwards. */
  meetOnce(point: string, act: () => Promise<void>): void {
    const fault = setFaultHandler(point);
    this.breaks = true;
    void fault.reached.then(async () => {
      this.breaks = false;
      this.brokeAt = this.clock.now();
      await act().finally(() => fault.resume());
    });
  }

  /** All systems answer, and nothing fails. */
  beWell(): void {
    this.neighbours.endTrouble();
    this.world.beWell();
    this.breaks = false;
    // A point that the code never passes.
    setFaultHandler('none');
  }

  /** A provider sends a report, perhaps not for the first time. */
  async sendReport(index: number): Promise<void> {
    const report = this.world.reports[index];
    if (!report) throw new Error(`there is no report ${index}`);
    const { excuses } = this;
    const { status } = await this.send('POST', report.path, { report: index });
    // It will be sent again by another command.
    if (excuses.includes(status)) return;
    if (status !== 200) throw new Error(`${report.path} was answered ${status}`);
    report.isReported = true;
    report.onReceived();
  }

  /** Reports to orders what the registrar has decided about an order. */
  async reportOrder(reference: string): Promise<void> {
    const body = [`r${(this.turn += 1)}`, reference];
    const { status } = await this.send('POST', '/callbacks/gatewaypoa/orders', body);
    if (status !== 200) throw new Error(`the callback about ${reference} was answered ${status}`);
  }

  /** Lets business time pass, and waits until all due work is done. Calls that timed out arrive first. */
  async pass(ms: number): Promise<void> {
    this.world.catchUp();
    this.clock.advance(ms);
    for (const { dueWorker } of [...this.replicas.values()].flat()) dueWorker.wake();
    await this.quiet();
  }

  /** When a notice or an attempt falls due next. */
  async nextDebitDue(): Promise<Date | null> {
    const text = `SELECT min(due_at) AS at FROM due_work WHERE (kind = 'debit.notify' OR kind LIKE 'debit.execute%') AND due_at > $1`;
    const [row] = await this.rows<{ at: Date | null }>('mandates', text, [this.clock.now()]);
    return row?.at ?? null;
  }

  /** Whether any work is planned, except the expiry of a mandate. */
  async hasPlans(): Promise<boolean> {
    const text = `SELECT count(*)::int AS n FROM due_work WHERE kind <> 'mandate.expire'`;
    const counts = await Promise.all(NAMES.map((name) => this.rows<{ n: number }>(name, text)));
    return counts.some(([count]) => count && count.n > 0);
  }

  /** Every step of the machines since the start. */
  async triggers(): Promise<string[]> {
    const ofPayments = `SELECT DISTINCT payment_type || ' ' || trigger AS step FROM payment_history JOIN payments ON payments.id = payment_id`;
    const ofMandates = `SELECT DISTINCT 'mandate ' || trigger AS step FROM mandate_history`;
    const ofDebits = `SELECT DISTINCT 'debit ' || state AS step FROM mandate_debits
      UNION SELECT 'notice sent' FROM mandate_debits WHERE notified_at IS NOT NULL
      UNION SELECT 'notice withdrawn' FROM mandate_debits WHERE notice_withdrawn_at IS NOT NULL
      UNION SELECT 'attempt ' || state FROM debit_attempts`;
    const all = await Promise.all([
      this.rows<{ step: string }>('mandates', ofDebits),
      this.rows<{ step: string }>('payments', ofPayments),
      this.rows<{ step: string }>('mandates', ofMandates),
    ]);
    return all.flat().map(({ step }) => step);
  }

  /** Stops a replica and starts another one on the same database. */
  async restart(name: Name): Promise<void> {
    const all = this.replicas.get(name) ?? [];
    const [oldest, ...rest] = all;
    await oldest?.stop();
    // The first replica consumes; the others only publish and run due work.
    this.replicas.set(name, [await this.boot(name, 0), ...rest]);
  }

  /** Waits until two checks in a row find nothing due, under way or unpublished. Busy workers wake up by themselves. */
  quiet(): Promise<void> {
    return waitForRest(() => this.isIdle(), { everyMs: 2, limitMs: 60_000 });
  }

  private async isIdle(): Promise<boolean> {
    const moving = await Promise.all(
      NAMES.map(async (name) => {
        const [waiting] = await this.rows<{ due: number; unsent: number }>(name, WAITING, [this.clock.now()]);
        if (!waiting) throw new Error('a count has one row');
        const services = this.running(name);
        const working = services.reduce((sum, { dueWorker }) => sum + dueWorker.inFlight, 0);
        if (waiting.due > 0 && working === 0) for (const { dueWorker } of services) dueWorker.wake();
        if (waiting.unsent > 0) for (const { database } of services) database.signal('outbox');
        return working + waiting.due + waiting.unsent;
      }),
    );
    return moving.every((count) => count === 0);
  }

  private boot(name: Name, index: number): Promise<RunningService> {
    const processes = this.processes.get(name);
    if (!processes) throw new Error(`${name} has no database`);
    return processes.start({
      env: { PUBLIC_BASE_URL: OWN_URL, GATEWAYPOA_BASE_URL: OWN_URL, DUE_POLL_MS: '1000' },
      bus: index === 0 ? this.bus : publishOnly(this.bus),
      transport: this.neighbours,
      clock: this.clock,
    });
  }

  private running(service: ServiceName): readonly RunningService[] {
    return [...this.replicas].find(([name]) => name === service)?.[1] ?? [];
  }

  private one(name: Name): RunningService {
    const [service] = this.running(name);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  }
}

function serviceOf(url: string): Name {
  if (url.startsWith('/v2') || url === '/callbacks/gatewaypoa/orders') return 'orders';
  if (url.startsWith('/api/pg/mandates') || url === '/callbacks/gatewaypoa/mandates') return 'mandates';
  return 'payments';
}

/** The real services with simulated outside systems. */
function definitionsOver(world: MandatesWorld): Readonly<Record<Name, ServiceDefinition>> {
  const gatewaypoa = new StrictProvider('GATEWAYPOA', world);
  const sdkvendor = new StrictProvider('SDKVENDOR', world);
  const both = [gatewaypoa, sdkvendor];
  @Module(paymentsWiring({ provide: PaymentProviders, useValue: new PaymentProviders(both, gatewaypoa) }))
  class PlayedPayments {}
  @Module(mandatesWiring({ provide: MandateProviders, useValue: new MandateProviders(both) }))
  class PlayedMandates {}
  return {
    orders: playedOrders(world),
    payments: { ...paymentsService, module: PlayedPayments },
    mandates: { ...mandatesService, module: PlayedMandates },
  };
}
