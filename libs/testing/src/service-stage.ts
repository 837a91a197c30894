import { EVENTS, newId, parseJson, stringifyJson, type ErrorBody, type EventType } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { bootstrap, Log, type RunningService } from '@fundrail/service-kit';
import { migrate, type ServiceDefinition } from '@fundrail/service-kit/db';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import type { FakeClock } from './fake-clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
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
  readonly key?: string;
  /** Which of the replicas gets it. */
  readonly at?: number;
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
  readonly testDatabase: TestDatabase;
  readonly ownsDatabase: boolean;
}

/** Starts a service on its own database. */
export async function startService(
  definition: ServiceDefinition,
  { clock, transport, count = 1, listen = false, variables = {}, lines, beside }: StageOptions,
): Promise<StartedService> {
  const { name } = definition;
  const testDatabase = beside ?? (await createTestDatabase());
  if (!beside) await migrate(definition, testDatabase.url);
  const env = {
    // No request is sent there while the provider is a fake.
    ...{ SANDBOX: 'true', GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9', PORT: '0' },
    ...{ DUE_POLL_MS: '20', DATABASE_POOL_SIZE: '20', ...variables },
    [`${name.toUpperCase()}_DATABASE_URL`]: testDatabase.url,
  };
  const log = lines
    ? Log.to(name, 'info', { write: (line: string) => void lines.push(line) })
    : Log.to(name, 'silent');
  const buses = Array.from({ length: count }, () => new InProcessBus({ groups: [name] }));
  const replicas = await Promise.all(
    buses.map((bus) => bootstrap(definition, { env, clock, bus, log, transport, listen })),
  );
  const [bus] = buses;
  if (!bus) throw new Error('a service has at least one replica');
  return { replicas, clock, bus, testDatabase, ownsDatabase: !beside };
}

/** A service under a spec's control: requests to it, events for it, its due work, its rows. */
export class ServiceStage {
  private sequence = 0;

  constructor(protected readonly started: StartedService) {}

  get replicas(): readonly RunningService[] {
    return this.started.replicas;
  }

  get clock(): FakeClock {
    return this.started.clock;
  }

  get testDatabase(): TestDatabase {
    return this.started.testDatabase;
  }

  get service(): RunningService {
    return this.replicaAt(0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    if (this.started.ownsDatabase) await this.testDatabase.drop();
  }

  /** A tenant's request. The answer's body is not checked against `T`. */
  ask<T>(method: Method, url: string, options: AskOptions = {}): Promise<Answered<T>> {
    const { tenant = 'demo', scope = '', key, body, at } = options;
    const headers: Record<string, string> = { authorization: tenantToken(tenant, scope, this.clock.now()) };
    if (key !== undefined) headers['idempotency-key'] = key;
    return this.inject<T>({ method, url, headers, body }, at);
  }

  /** A request that is expected to be refused. */
  refused(method: Method, url: string, options: AskOptions = {}): Promise<Answered<ErrorBody>> {
    return this.ask<ErrorBody>(method, url, options);
  }

  /** A request of another service: a GET without a body. */
  asService<T>(from: string, url: string, body?: unknown, at = 0): Promise<Answered<T>> {
    const headers = { authorization: serviceToken(from) };
    return this.inject<T>({ method: body === undefined ? 'GET' : 'POST', url, headers, body }, at);
  }

  /** A callback of gatewaypoa to that path. */
  fromGatewaypoa(path: string, body: object, signature = 'good', at = 0): Promise<Answered<ErrorBody>> {
    const headers = { 'x-gatewaypoa-signature': signature };
    return this.inject<ErrorBody>(
      { method: 'POST', url: `/callbacks/gatewaypoa/${path}`, headers, body },
      at,
    );
  }

  /** An event of another service, delivered and consumed. Pass the same `id` to deliver the same event again; `about` is its aggregate. */
  async consume(type: EventType, object: object, id: string = newId('event'), about?: string): Promise<void> {
    this.sequence += 1;
    const envelope = {
      ...{ id, type, version: EVENTS[type].version, tenant: 'demo', sequence: 1, traceparent: null },
      aggregate_id: about ?? `of the test ${this.sequence}`,
      data: stringifyJson({ object, previous_attributes: null }),
      occurred_at: this.clock.now().toISOString(),
    };
    const [outcome] = this.started.bus.publish([envelope]);
    if (!(await outcome)?.published) throw new Error(`the event ${type} was not consumed`);
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

  /** Waits until everything due now has ended, then advances business time. */
  async pass(ms: number): Promise<void> {
    await this.settled();
    this.clock.advance(ms);
    this.wake();
  }

  wake(): void {
    for (const { dueWorker } of this.replicas) dueWorker.wake();
  }

  rows<T>(text: string, ...values: readonly unknown[]): Promise<T[]> {
    return this.service.database.dataSource.query<T[]>(text, [...values]);
  }

  /** The types of an object's events so far, without the word before the dot. Throws when their sequence has a gap. */
  async eventsOf(id: number | string): Promise<string[]> {
    const rows = await this.rows<{ type: string; sequence: number }>(
      'SELECT type, sequence FROM outbox WHERE aggregate_id = $1 ORDER BY sequence',
      String(id),
    );
    if (rows.some(({ sequence }, index) => sequence !== index + 1))
      throw new Error(`the events of ${id} are ${rows.map(({ sequence }) => sequence).join(', ')}`);
    return rows.map(({ type }) => type.slice(type.indexOf('.') + 1));
  }

  protected replicaAt(index: number): RunningService {
    const replica = this.replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    return replica;
  }

  private async inject<T>({ method, url, headers, body }: Sent, at = 0): Promise<Answered<T>> {
    const payload: { payload?: string } = body === undefined ? {} : { payload: stringifyJson(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = { method, headers: { ...headers, ...type } };
    const { url: address, fastify } = this.replicaAt(at);
    if (address !== null) {
      const answer = await fetch(new URL(url, address), { ...request, body: payload.payload ?? null });
      const given = Object.fromEntries(answer.headers);
      return { status: answer.status, body: parseJson(await answer.text()) as T, headers: given };
    }
    const answer = await fastify.inject({ ...request, url, ...payload });
    return { status: answer.statusCode, body: parseJson(answer.body) as T, headers: answer.headers };
  }
}

interface Sent {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
