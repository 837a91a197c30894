import { EVENTS, istDate, newId, parseJson, stringifyJson } from '@fundrail/contracts';
import type {
  AuthorisationFact,
  CancelledMandateDto,
  DebitResult,
  ErrorBody,
  EventType,
  MandateDto,
  PermitResult,
} from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { bootstrap, Log, type RunningService } from '@fundrail/service-kit';
import { migrate, type ServiceDefinition } from '@fundrail/service-kit/db';
import {
  createTestDatabase,
  FakeClock,
  paymentOfEvent,
  serviceToken,
  tenantToken,
  type TestDatabase,
  waitFor,
} from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mandatesService } from '../index.ts';
import { mandatesWiring } from '../mandates.module.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakeProvider } from './fake-provider.ts';
import { anAdmission, NOW } from './mandate.builder.ts';

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
  /** Which of the replicas gets the request. */
  readonly at?: number;
}

/** The service in one or two replicas on its own database, with a provider, other services and a clock under the spec's control. */
export class MandatesUnderTest {
  private sequence = 0;

  private constructor(
    readonly replicas: readonly RunningService[],
    readonly provider: FakeProvider,
    readonly neighbours: FakeNeighbours,
    readonly clock: FakeClock,
    private readonly bus: InProcessBus,
    private readonly testDatabase: TestDatabase,
  ) {}

  /** With `listen`, requests go over HTTP to each replica's own port. */
  static async start(count = 1, listen = false): Promise<MandatesUnderTest> {
    const testDatabase = await createTestDatabase();
    const provider = new FakeProvider();
    const neighbours = new FakeNeighbours();
    const clock = new FakeClock(NOW);
    const definition = withProvider(provider);
    await migrate(definition, testDatabase.url);
    const env = {
      SANDBOX: 'true',
      MANDATES_DATABASE_URL: testDatabase.url,
      GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9',
      DUE_POLL_MS: '20',
      DATABASE_POOL_SIZE: '20',
      PORT: '0',
    };
    const buses = Array.from({ length: count }, () => new InProcessBus({ groups: ['mandates'] }));
    const log = Log.to('mandates', 'silent');
    const replicas = await Promise.all(
      buses.map((bus) => bootstrap(definition, { env, clock, bus, log, transport: neighbours, listen })),
    );
    const [bus] = buses;
    if (!bus) throw new Error('a service has at least one replica');
    return new MandatesUnderTest(replicas, provider, neighbours, clock, bus, testDatabase);
  }

  async stop(): Promise<void> {
    await Promise.all(this.replicas.map((replica) => replica.stop()));
    await this.testDatabase.drop();
  }

  get service(): RunningService {
    return this.replica(0);
  }

  /** The business date, IST. */
  get today(): string {
    return istDate(this.clock.now());
  }

  /** A tenant's request. The answer's body is not checked against `T`. */
  ask<T = MandateDto>(method: 'GET' | 'POST', url: string, options: AskOptions = {}): Promise<Answered<T>> {
    const headers: Record<string, string> = {
      authorization: tenantToken(options.tenant ?? 'demo', '', this.clock.now()),
    };
    if (options.key !== undefined) headers['idempotency-key'] = options.key;
    return this.inject<T>(method, url, headers, options.body, options.at);
  }

  /** A request that is expected to be refused. */
  refused(method: 'GET' | 'POST', url: string, options: AskOptions = {}): Promise<Answered<ErrorBody>> {
    return this.ask<ErrorBody>(method, url, options);
  }

  /** A request of another service. */
  internal<T>(path: string, body?: object, at = 0): Promise<Answered<T>> {
    const headers = { authorization: serviceToken('payments') };
    const url = `/internal/mandates${path}`;
    return this.inject<T>(body ? 'POST' : 'GET', url, headers, body, at);
  }

  /** Sends a notification of gatewaypoa. */
  callback(
    mandate_token: string,
    state: string | null,
    event_id: string = randomUUID(),
    signature = 'good',
    at = 0,
  ) {
    return this.inject<ErrorBody>(
      'POST',
      '/callbacks/gatewaypoa/mandates',
      { 'x-gatewaypoa-signature': signature },
      { event_id, mandate_token, state },
      at,
    );
  }

  /** An event of another service, delivered and consumed. Pass the same `id` to deliver the same event again. */
  async deliver(type: EventType, object: object, id = newId('event'), tenant = 'demo'): Promise<void> {
    this.sequence += 1;
    const envelope = {
      id,
      type,
      version: EVENTS[type].version,
      tenant,
      aggregate_id: `of the test ${this.sequence}`,
      sequence: 1,
      data: stringifyJson({ object, previous_attributes: null }),
      occurred_at: NOW.toISOString(),
      traceparent: null,
    };
    const [outcome] = this.bus.publish([envelope]);
    expect(await outcome).toEqual({ published: true });
  }

  /** The event of payments after the provider reported on an authorisation. */
  authorisationFact(fact: Partial<AuthorisationFact>, id?: string): Promise<void> {
    const whole = { payment_id: 8001, mandate_id: 0, umrn: null, provider_id: null, rejected_reason: null };
    const object = { ...whole, status: 'approved', mandate_token: `tok_${fact.mandate_id}`, ...fact };
    return this.deliver('payment.mandate_fact', object, id);
  }

  /** The event of a payment that ended. */
  paymentEnded(
    type: 'payment.success' | 'payment.failed' | 'payment.rejected',
    payment: { id: number; mandate_id: number; payment_type: 'AUTH_TRANSACTION' | 'NACH' },
    id?: string,
  ): Promise<void> {
    return this.deliver(type, paymentOfEvent(payment), id);
  }

  async create(body: object = {}): Promise<number> {
    const request = { mandate_type: 'upi', bank_account_id: 7, provider_name: 'GATEWAYPOA' };
    const answer = await this.ask<{ id: number }>('POST', '/api/pg/mandates', {
      body: { ...request, mandate_limit: 5000, ...body },
    });
    expect(answer.status).toBe(201);
    return answer.body.id;
  }

  /** A mandate that may be debited. Its token at the provider is `tok_<id>`. */
  async createApproved(body: object = {}): Promise<number> {
    const id = await this.create(body);
    await this.authorisationFact({ mandate_id: id });
    return id;
  }

  async get(id: number): Promise<MandateDto> {
    return (await this.ask('GET', `/api/pg/mandates/${id}`)).body;
  }

  cancel(id: number, options: AskOptions = {}): Promise<Answered<CancelledMandateDto>> {
    return this.ask<CancelledMandateDto>('POST', `/api/pg/mandates/${id}/cancel`, options);
  }

  /** Admits a debit; by default of order 501 by payment 9001 over ₹1,000. */
  async admit(mandate_id: number, changes: object = {}, at = 0): Promise<DebitResult> {
    const asked = anAdmission({ mandate_id, ...changes });
    return (await this.internal<DebitResult>('/debits', asked, at)).body;
  }

  async permit(mandate_id: number, payment_id = 9001, changes: object = {}, at = 0): Promise<PermitResult> {
    const execute_on = this.today;
    const asked = {
      tenant: 'demo',
      mandate_id,
      payment_id,
      step: 'execute',
      attempt: 1,
      execute_on,
      ...changes,
    };
    return (await this.internal<PermitResult>('/permits', asked, at)).body;
  }

  /** Waits until the mandate is in that state. */
  inStatus(id: number, status: MandateDto['mandate_status']): Promise<MandateDto> {
    return waitFor(
      async () => {
        this.service.dueWorker.wake();
        const mandate = await this.get(id);
        return mandate.mandate_status === status ? mandate : null;
      },
      { what: `mandate ${id} to be ${status}` },
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

  /** Waits until everything due now has ended, then advances business time. */
  async pass(ms: number): Promise<void> {
    await this.settled();
    this.clock.advance(ms);
    for (const { dueWorker } of this.replicas) dueWorker.wake();
  }

  rows<T>(text: string, ...values: readonly unknown[]): Promise<T[]> {
    return this.service.database.dataSource.query<T[]>(text, [...values]);
  }

  /** The mandate's events so far, without the prefix of their types. Fails when their sequence has a gap. */
  async eventsOf(id: number): Promise<string[]> {
    const rows = await this.rows<{ type: string; sequence: number }>(
      'SELECT type, sequence FROM outbox WHERE aggregate_id = $1 ORDER BY sequence',
      String(id),
    );
    expect(rows.map((row) => row.sequence)).toEqual(rows.map((_, index) => index + 1));
    return rows.map((row) => row.type.replace('mandate.', ''));
  }

  private replica(index: number): RunningService {
    const replica = this.replicas[index];
    if (!replica) throw new Error(`there is no replica ${index}`);
    return replica;
  }

  private async inject<T>(
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    body?: unknown,
    at = 0,
  ): Promise<Answered<T>> {
    const payload: { payload?: string } = body === undefined ? {} : { payload: stringifyJson(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = { method, headers: { ...headers, ...type } };
    const { url: address, fastify } = this.replica(at);
    if (address !== null) {
      const answer = await fetch(new URL(url, address), { ...request, body: payload.payload ?? null });
      const given = Object.fromEntries(answer.headers);
      return { status: answer.status, body: parseJson(await answer.text()) as T, headers: given };
    }
    const answer = await fastify.inject({ ...request, url, ...payload });
    return { status: answer.statusCode, body: parseJson(answer.body) as T, headers: answer.headers };
  }
}

/** The real service with a fake provider. */
function withProvider(provider: FakeProvider): ServiceDefinition {
  const gatewaypoa = { name: 'GATEWAYPOA', signatureHeader: 'x-gatewaypoa-signature' } as const;
  // It takes no e-mandates.
  const other = {
    name: 'SDKVENDOR',
    signatureHeader: 'x-other',
    mandates: new FakeProvider(['UPI']),
  } as const;
  const providers = new MandateProviders([{ ...gatewaypoa, mandates: provider }, other]);
  @Module(mandatesWiring({ provide: MandateProviders, useValue: providers }))
  class MandatesWithFakeProvider {}
  return { ...mandatesService, module: MandatesWithFakeProvider };
}
