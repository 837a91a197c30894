import { EVENTS, newId, parseJson, stringifyJson, type ErrorBody, type EventType } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { Log, type RunningService } from '@fundrail/service-kit';
import type { ServiceDefinition } from '@fundrail/service-kit/db';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import type { FakeClock } from './fake-clock.ts';
import { inject } from './inject.ts';
import { ServiceProcesses } from './service-processes.ts';
import type { TestDatabase } from './test-database.ts';
import { serviceToken, tenantToken } from './tokens.ts';
import { waitFor } from './wait-for.ts';

/** The answer to a request. `body` has the type that the caller names; specs check it. */
export interface Answered<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A tenant's request; of tenant `demo` by default. */
export interface AskOptions {
  readonly body?: unknown;
  readonly tenant?: string;
  readonly scope?: string;
  readonly compatibility?: string;
  readonly key?: string;
  /** Which of the replicas gets it. */
  readonly at?: number;
}

/** An event by default is a new one of tenant `demo`, the first about its object. */
interface ConsumedEvent {
  /** The same `id` again is the same event again. */
  readonly id?: string | undefined;
  readonly tenant?: string;
  /** The id of its object. */
  readonly about?: string;
  readonly sequence?: number;
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a service is started with. */
interface StageOptions {
  readonly clock: FakeClock;
  readonly transport: ServiceTransport;
  readonly count?: number;
  /** Requests go over HTTP to each replica's own port. */
  readonly listen?: boolean;
  readonly variables?: Readonly<Record<string, string>>;
  /** The bus of the first replica, when other services use it too. */
  readonly bus?: InProcessBus;
  /** Gets the lines of the log from `info` on. */
  readonly lines?: string[];
  /** The database of a stage that runs already: this one is another process of the service. */
  readonly beside?: TestDatabase;
}

/** The processes of a service, and what they share. The first one consumes the events of `bus`. */
export interface StartedService {
  readonly replicas: readonly RunningService[];
  readonly clock: FakeClock;
  readonly bus: InProcessBus;
  readonly processes: ServiceProcesses;
}

/** Starts a service on its own database. */
export async function startService(
  definition: ServiceDefinition,
  { clock, transport, count = 1, listen = false, variables = {}, lines, beside, bus: shared }: StageOptions,
): Promise<StartedService> {
  const { name } = definition;
  const processes = await ServiceProcesses.on(definition, beside);
  const env = {
    // No request is sent there while the provider is a fake.
    ...{ GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9', PORT: '0' },
    ...{ DATABASE_POOL_SIZE: '20', ...variables },
  };
  const log = lines && { log: Log.to(name, 'info', { write: (line: string) => void lines.push(line) }) };
  const ownBus = () => new InProcessBus({ groups: [name] });
  const bus = shared ?? ownBus();
  const buses = [bus, ...Array.from({ length: count - 1 }, ownBus)];
  const replicas = await Promise.all(
    buses.map((one) => processes.start({ env, clock, bus: one, transport, listen, ...log })),
  );
  return { replicas, clock, bus, processes };
}

/** A service under a spec's control: requests to it, events for it, its due work, its rows. */
export class ServiceStage {
  private aggregates = 0;

  constructor(protected readonly started: StartedService) {}

  get replicas(): readonly RunningService[] {
    return this.started.replicas;
  }

  get clock(): FakeClock {
    return this.started.clock;
  }

  get bus(): InProcessBus {
    return this.started.bus;
  }

  get testDatabase(): TestDatabase {
    return this.started.processes.database;
  }

  get service(): RunningService {
    return this.replicaAt(0);
  }

  stop(): Promise<void> {
    return this.started.processes.end();
  }

  /** A tenant's request. The answer's body is not checked against `T`. */
  ask<T>(method: Method, url: string, options: AskOptions = {}): Promise<Answered<T>> {
    const { tenant = 'demo', scope = '', compatibility, key, body, at } = options;
    const authorization = tenantToken(tenant, scope, this.clock.now(), { compatibility });
    const headers = { authorization, ...(key !== undefined && { 'idempotency-key': key }) };
    return this.sendTo<T>({ method, url, headers, body }, at);
  }

  /** A request that is expected to be refused. */
  refused(method: Method, url: string, options: AskOptions = {}): Promise<Answered<ErrorBody>> {
    return this.ask<ErrorBody>(method, url, options);
  }

  /** A request of another service: a GET without a body. */
  asService<T>(from: string, url: string, body?: unknown, at = 0): Promise<Answered<T>> {
    const headers = { authorization: serviceToken(from) };
    return this.sendTo<T>({ method: body === undefined ? 'GET' : 'POST', url, headers, body }, at);
  }

  /** A callback of gatewaypoa to that path. */
  fromGatewaypoa(path: string, body: object, signature = 'good', at = 0): Promise<Answered<ErrorBody>> {
    const headers = { 'x-gatewaypoa-signature': signature };
    return this.sendTo<ErrorBody>(
      { method: 'POST', url: `/callbacks/gatewaypoa/${path}`, headers, body },
      at,
    );
  }

  /** An event of another service, delivered and consumed. */
  async consume(type: EventType, object: object, event: ConsumedEvent = {}): Promise<void> {
    this.aggregates += 1;
    const { id = newId('event'), about = `of the test ${this.aggregates}`, tenant = 'demo' } = event;
    const envelope = {
      ...{ id, type, version: EVENTS[type].version, tenant, aggregate_id: about, traceparent: null },
      sequence: event.sequence ?? 1,
      data: stringifyJson({ object, previous_attributes: null }),
      occurred_at: this.clock.now().toISOString(),
    };
    const [outcome] = this.started.bus.publish([envelope]);
    if (!(await outcome)?.published) throw new Error(`the event ${type} was not consumed`);
  }

  /** Resolves when everything due by now is done. */
  async settled(): Promise<void> {
    await waitFor(async () => (await this.countWaiting()) === 0, { what: 'the due work to end' });
  }

  /** Waits until everything due now has ended, then advances business time. */
  async pass(ms: number): Promise<void> {
    await this.settled();
    this.clock.advance(ms);
    this.wake();
  }

  wake(): void {
    for (const { dueWorker } of this.services) dueWorker.wake();
  }

  rows<T>(text: string, ...values: readonly unknown[]): Promise<T[]> {
    return this.service.database.dataSource.query<T[]>(text, [...values]);
  }

  /** The tables with a row that contains one of the values, in their order. */
  async tablesWith(...values: readonly string[]): Promise<string[]> {
    const names = await this.rows<{ name: string }>(
      `SELECT relname::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    const found = await Promise.all(
      names.map(async ({ name }) => {
        const rows = await this.rows<{ text: string }>(`SELECT to_jsonb(t)::text AS text FROM ${name} t`);
        return rows.some(({ text }) => values.some((value) => text.includes(value))) ? [name] : [];
      }),
    );
    return found.flat().sort();
  }

  /** An object's events so far, in their order. Throws when their sequence has a gap. */
  async eventRows(id: number | string): Promise<{ type: string; sequence: number; data: string }[]> {
    const rows = await this.rows<{ type: string; sequence: number; data: string }>(
      'SELECT type, sequence, data FROM outbox WHERE aggregate_id = $1 ORDER BY sequence',
      String(id),
    );
    if (rows.some(({ sequence }, index) => sequence !== index + 1))
      throw new Error(`the events of ${id} are ${rows.map(({ sequence }) => sequence).join(', ')}`);
    return rows;
  }

  /** Their types, without the word before the dot. */
  async eventsOf(id: number | string): Promise<string[]> {
    return (await this.eventRows(id)).map(({ type }) => type.slice(type.indexOf('.') + 1));
  }

  /** Waits until the query finds something. */
  async untilRows(text: string): Promise<void> {
    const areThere = async () => {
      this.wake();
      return (await this.rows(text)).length > 0;
    };
    await waitFor(areThere, { what: text });
  }

  /** The services whose due work is waited for. */
  protected get services(): readonly RunningService[] {
    return this.replicas;
  }

  /** How much work is due or in progress. Wakes the workers that have some. */
  protected async countWaiting(): Promise<number> {
    const counts = await Promise.all(
      this.services.map(async ({ dueWorker, database }) => {
        const { due } = await dueWorker.countDue(await database.now());
        // A worker that is woken at each check never becomes idle.
        if (due > 0) dueWorker.wake();
        return due + dueWorker.inFlight;
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  protected replicaAt(index: number): RunningService {
    const replica = this.replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    return replica;
  }

  private async sendTo<T>({ method, url, headers, body }: Sent, at = 0): Promise<Answered<T>> {
    const service = this.replicaAt(at);
    if (service.url === null) {
      const answer = await inject(service, { method, url, headers, body });
      return { status: answer.status, body: parseJson(answer.text) as T, headers: answer.headers };
    }
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = body === undefined ? null : stringifyJson(body);
    const around = { method, headers: { ...headers, ...type }, body: sent };
    const answer = await fetch(new URL(url, service.url), around);
    const given = Object.fromEntries(answer.headers);
    return { status: answer.status, body: parseJson(await answer.text()) as T, headers: given };
  }
}

interface Sent {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
