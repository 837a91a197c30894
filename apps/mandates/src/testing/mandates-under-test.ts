import { istDate } from '@fundrail/contracts';
import type {
  AuthorisationFact,
  CancelledMandateDto,
  DebitResult,
  EventType,
  MandateDto,
  PermitResult,
} from '@fundrail/contracts';
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
import { anAdmission, NOW } from './mandate.builder.ts';

/** The service in one or two replicas on its own database, with a provider, other services and a clock under the spec's control. */
export class MandatesUnderTest extends ServiceStage {
  private constructor(
    started: StartedService,
    readonly provider: FakeProvider,
    readonly neighbours: FakeNeighbours,
  ) {
    super(started);
  }

  /** With `listen`, requests go over HTTP to each replica's own port. */
  static async start(count = 1, listen = false): Promise<MandatesUnderTest> {
    const [provider, transport] = [new FakeProvider(), new FakeNeighbours()];
    const around = { clock: new FakeClock(NOW), transport, count, listen };
    return new MandatesUnderTest(await startService(withProvider(provider), around), provider, transport);
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

  /** An event of another service, delivered and consumed. */
  deliver(type: EventType, object: object, id?: string): Promise<void> {
    return this.consume(type, object, id);
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
