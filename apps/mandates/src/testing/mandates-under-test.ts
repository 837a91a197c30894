import { businessDaysAfter, isBusinessDay, istDate, istInstant } from '@fundrail/contracts';
import type { AuthorisationFact, CancelledMandateDto, DebitResult, MandateDto } from '@fundrail/contracts';
import type { ServiceDefinition } from '@fundrail/service-kit/db';
import { FakeClock, paymentOfEvent, ServiceStage, startService, waitFor } from '@fundrail/testing';
import type { Answered, AskOptions, Method, StartedService } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { mandatesService } from '../index.ts';
import { mandatesWiring } from '../mandates.module.ts';
import { MandateProviders } from '../outside/mandate-providers.ts';
import { FakeNeighbours } from './fake-neighbours.ts';
import { FakeProvider } from './fake-provider.ts';
import { anAdmission, DAY_MS, NOW } from './mandate.builder.ts';

/** From then on, IST, e-mandates are debited: the default of `EMANDATE_DEBIT_FROM`. */
const OPENS = '10:00';
const NO_HOLIDAYS = new Map<number, ReadonlySet<string>>();

/** The service in one or two replicas on its own database, with a provider, other services and a clock under the spec's control. */
export class MandatesUnderTest extends ServiceStage {
  private constructor(
    started: StartedService,
    readonly provider: FakeProvider,
    /** The other one, SDKVENDOR. */
    readonly second: FakeProvider,
    readonly neighbours: FakeNeighbours,
  ) {
    super(started);
  }

  /** With `listen`, requests go over HTTP to each replica's own port. */
  static async start(
    count = 1,
    listen = false,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<MandatesUnderTest> {
    // The other one takes no e-mandates.
    const [provider, second] = [new FakeProvider(), new FakeProvider(['UPI'])];
    const transport = new FakeNeighbours();
    const around = { clock: new FakeClock(NOW), transport, count, listen, variables };
    const started = await startService(withProviders(provider, second), around);
    return new MandatesUnderTest(started, provider, second, transport);
  }

  /** The business date, IST. */
  get today(): string {
    return istDate(this.clock.now());
  }

  override ask<T = MandateDto>(method: Method, url: string, options?: AskOptions): Promise<Answered<T>> {
    return super.ask<T>(method, url, options);
  }

  /** A request of another service. */
  internal<T>(path: string, body?: object, at = 0): Promise<Answered<T>> {
    return this.asService<T>('payments', `/internal/mandates${path}`, body, at);
  }

  /** Sends a notification of gatewaypoa. */
  callback(
    mandate_token: string,
    state: string | null,
    event_id: string = randomUUID(),
    signature = 'good',
    at = 0,
  ) {
    return this.fromGatewaypoa('mandates', { event_id, mandate_token, state }, signature, at);
  }

  /** The event of payments after the provider reported on an authorisation. */
  authorisationFact(fact: Partial<AuthorisationFact>, id?: string): Promise<void> {
    const whole = { payment_id: 8001, mandate_id: 0, umrn: null, provider_id: null, rejected_reason: null };
    const object = { ...whole, status: 'approved', mandate_token: `tok_${fact.mandate_id}`, ...fact };
    return this.consume('payment.mandate_fact', object, { id });
  }

  /** The event of a payment that ended. */
  paymentEnded(
    type: 'payment.success' | 'payment.failed' | 'payment.rejected',
    payment: { id: number; mandate_id: number; payment_type: 'AUTH_TRANSACTION' | 'NACH' },
    id?: string,
  ): Promise<void> {
    return this.consume(type, paymentOfEvent(payment), { id });
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

  /** The order of that payment's debit is ready: it starts. */
  ready(mandate_id: number, payment_id = 9001): Promise<void> {
    const nothing = { provider_name: null, attempt: null, notice: null };
    return this.consume('payment.debit_fact', { payment_id, mandate_id, order: 'ready', ...nothing });
  }

  /** Business time goes on to the next hour at which e-mandates are debited, when it is not such an hour. */
  toBusinessHours(): void {
    const { today } = this;
    const isBusiness = isBusinessDay(today, NO_HOLIDAYS);
    if (isBusiness && this.clock.now() >= istInstant(today, OPENS)) return;
    const day = isBusiness ? today : businessDaysAfter(today, 1, NO_HOLIDAYS);
    this.clock.set(istInstant(day, OPENS).toISOString());
  }

  /** A debit of an e-mandate whose attempt is due in that many milliseconds: it was admitted some business days before. */
  async due(mandate_id: number, payment_id: number, inMs = 0): Promise<void> {
    this.toBusinessHours();
    const now = new Date(this.clock.now().getTime() + inMs);
    const admitted = new Date(now.getTime() - 4 * DAY_MS);
    await this.rows(
      `INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, execute_at)
       VALUES ($1, $2, 'demo', 501, 1000, $3, 'planned', $4, $5)`,
      ...[payment_id, mandate_id, this.today, admitted, now],
    );
    await this.rows(
      `INSERT INTO due_work (kind, key, tenant, due_at) VALUES ('debit.execute.gatewaypoa', $1, 'demo', $2)`,
      ...[String(payment_id), now],
    );
  }

  /** One replica executes the debits that are due. Resolves when that one has an attempt, or none is planned any more. */
  async execute(payment_id: number, at = 0): Promise<'attempted' | 'not attempted'> {
    return this.attempted(payment_id, at, async () => (await this.debit(payment_id)).state !== 'planned');
  }

  /** The same for a mandate in doubt, whose debit stays planned: resolves when its due work was taken. */
  async tried(payment_id: number, at = 0): Promise<'attempted' | 'not attempted'> {
    const now = this.clock.now();
    const due = `SELECT FROM due_work WHERE kind = 'debit.execute.gatewaypoa' AND key = $1 AND (due_at <= $2 OR lease_token IS NOT NULL)`;
    const isTaken = async () => (await this.rows(due, String(payment_id), now)).length === 0;
    return this.attempted(payment_id, at, isTaken);
  }

  /** The stored debit. */
  async debit(payment_id = 9001): Promise<{ state: string; failure_code: string | null }> {
    const [row] = await this.rows<{ state: string; failure_code: string | null }>(
      'SELECT state, failure_code FROM mandate_debits WHERE payment_id = $1',
      payment_id,
    );
    if (!row) throw new Error(`no debit ${payment_id}`);
    return row;
  }

  /** The numbers of its attempts. */
  async attempts(payment_id = 9001): Promise<number[]> {
    const rows = await this.rows<{ number: number }>(
      'SELECT number FROM debit_attempts WHERE payment_id = $1 ORDER BY number',
      payment_id,
    );
    return rows.map(({ number }) => number);
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

  /** Wakes that replica until `isDone`. */
  private async attempted(payment_id: number, at: number, isDone: () => Promise<boolean>) {
    const isTried = () => {
      this.replicaAt(at).dueWorker.wake();
      return isDone();
    };
    await waitFor(isTried, { what: `debit ${payment_id} to be tried` });
    return (await this.attempts(payment_id)).length > 0 ? 'attempted' : 'not attempted';
  }
}

/** The real service with fake providers. */
function withProviders(provider: FakeProvider, second: FakeProvider): ServiceDefinition {
  const gatewaypoa = { name: 'GATEWAYPOA', signatureHeader: 'x-gatewaypoa-signature' } as const;
  const providers = new MandateProviders([
    { ...gatewaypoa, needsContact: false, mandates: provider },
    { name: 'SDKVENDOR', signatureHeader: 'x-other', needsContact: false, mandates: second },
  ]);
  @Module(mandatesWiring({ provide: MandateProviders, useValue: providers }))
  class MandatesWithFakeProviders {}
  return { ...mandatesService, module: MandatesWithFakeProviders };
}
