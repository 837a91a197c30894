import type { EventType, MandateDebit, PaymentDto } from '@fundrail/contracts';
import type { InProcessBus } from '@fundrail/messaging';
import type { PaymentCallback } from '@fundrail/providers';
import type { RunningService, ServiceDefinition } from '@fundrail/service-kit';
import {
  FakeClock,
  inject,
  ServiceStage,
  startService,
  waitFor,
  waitForRest,
  type StartedService,
} from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { paymentsService } from '../index.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { OrderState } from '../payment/orders-of-payment.ts';
import { paymentsWiring } from '../payments.module.ts';
import { FakeCheckout } from './fake-checkout.ts';
import { FakeNeighbours, type FakeOrder } from './fake-neighbours.ts';
import { FakeProvider } from './fake-provider.ts';
import { orderObject } from './order-object.ts';
import { rupees } from './payments.builder.ts';

export interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
  json<T = PaymentDto>(): T;
}

/** Whether a payment is in that status. */
export const inStatus = (status: PaymentDto['status']) => (payment: PaymentDto) => payment.status === status;

/** The service on its own database, with fakes of other services and of the providers. */
export class PaymentsStage extends ServiceStage {
  private callbacks = 0;
  private reports = 0;
  /** Services that run beside this one: their due work is waited for too. */
  readonly beside: RunningService[] = [];

  private constructor(
    started: StartedService,
    readonly neighbours: FakeNeighbours,
    readonly provider: FakeProvider,
    /** The provider of the hosted page and SDKs. */
    readonly sdkvendor: FakeProvider,
    readonly checkout: FakeCheckout,
    private readonly variables: Readonly<Record<string, string>>,
  ) {
    super(started);
  }

  /** `bus`: one that other services consume too. */
  static async start(
    variables: Readonly<Record<string, string>> = {},
    bus?: InProcessBus,
  ): Promise<PaymentsStage> {
    const clock = new FakeClock();
    const neighbours = new FakeNeighbours();
    neighbours.tokens.now = () => clock.now();
    const [provider, checkout] = [new FakeProvider(), new FakeCheckout()];
    const sdkvendor = new FakeProvider('SDKVENDOR', checkout);
    const around = { clock, transport: neighbours, variables, ...(bus && { bus }) };
    const started = await startService(definitionOver(provider, sdkvendor), around);
    return new PaymentsStage(started, neighbours, provider, sdkvendor, checkout, variables);
  }

  /** Another replica: the same database, fakes and clock; by default also the same provider. End it before the first one. */
  async replica(provider = this.provider): Promise<PaymentsStage> {
    const { clock, neighbours, sdkvendor, checkout, variables, testDatabase } = this;
    const around = { clock, transport: neighbours, variables, beside: testDatabase };
    const started = await startService(definitionOver(provider, sdkvendor), around);
    return new PaymentsStage(started, neighbours, provider, sdkvendor, checkout, variables);
  }

  async send(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const authorization = this.neighbours.tokens.header();
    const around = { method, url, body, headers: { authorization, ...headers } };
    const { text, ...answer } = await inject(this.service, around);
    return { ...answer, body: text };
  }

  create(
    orders: readonly FakeOrder[],
    changes: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const upi = {
      method: 'UPI',
      upi: { type: 'URI' },
      bank_account_id: 7,
      payment_postback_url: 'https://app.example/back',
    };
    const body = { amc_order_ids: orders.map((order) => order.old_id), ...upi, ...changes };
    return this.send('POST', '/api/pg/payments/netbanking', body, headers);
  }

  /** A payment by page or SDK, according to the tenant's settings. */
  checkOut(
    orders: readonly FakeOrder[],
    changes: object = {},
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    return this.create(orders, { method: undefined, upi: undefined, ...changes }, headers);
  }

  /** Asks the investor to authorise a mandate, by default by URI. */
  authorise(mandate: number, changes: object = {}, headers: Record<string, string> = {}): Promise<Answered> {
    const body = { mandate_id: mandate, upi: { type: 'uri' }, ...changes };
    return this.send('POST', '/api/pg/payments/emandate/auth', body, headers);
  }

  /** Debits a mandate for an order. */
  debit(mandate: number, order: FakeOrder, headers: Record<string, string> = {}): Promise<Answered> {
    const body = { mandate_id: mandate, amc_order_ids: [order.old_id] };
    return this.send('POST', '/api/pg/payments/nach', body, headers);
  }

  /** A payment over an order, and its id. */
  async pay(...orders: readonly FakeOrder[]): Promise<number> {
    const answer = await this.create(orders.length > 0 ? orders : [this.neighbours.anOrder()]);
    if (answer.status !== 200) throw new Error(answer.body);
    return answer.json<{ id: number }>().id;
  }

  async get(id: number): Promise<PaymentDto> {
    return (await this.send('GET', `/api/pg/payments/${id}`)).json();
  }

  /** Waits until the payment meets the condition. */
  until(id: number, condition: (payment: PaymentDto) => boolean | Promise<boolean>): Promise<PaymentDto> {
    return waitFor(
      async () => {
        this.wake();
        const payment = await this.get(id);
        return (await condition(payment)) ? payment : null;
      },
      { what: `payment ${id}` },
    );
  }

  /** Due work publishes events, and events schedule due work. So none may be written while both are looked at. */
  override async settled(): Promise<void> {
    const isStill = async () => {
      const before = await this.written();
      await this.published();
      return (await this.countWaiting()) === 0 && (await this.written()) === before;
    };
    await waitForRest(isStill, { what: 'the due work and its events to end' });
  }

  /** Resolves when every event of the services is published and consumed. */
  async published(): Promise<void> {
    const unpublished = 'SELECT 1 FROM outbox WHERE published_at IS NULL LIMIT 1';
    await waitFor(
      async () => {
        const open = await Promise.all(
          this.services.map(({ database }) => database.dataSource.query<unknown[]>(unpublished)),
        );
        return open.every((rows) => rows.length === 0);
      },
      { what: 'the events to be published' },
    );
  }

  /** How many events each service has written. */
  private async written(): Promise<string> {
    const counts = await Promise.all(
      this.services.map(({ database }) => database.dataSource.query<unknown>('SELECT count(*) FROM outbox')),
    );
    return JSON.stringify(counts);
  }

  protected override get services(): readonly RunningService[] {
    return [...this.replicas, ...this.beside];
  }

  /** Publishes a new state of an order, and resolves when this service has processed it. */
  async orderBecomes(
    order: FakeOrder,
    state: OrderState,
    type: EventType = 'mf_purchase.submitted',
  ): Promise<void> {
    order.state = state;
    order.sequence += 1;
    const { tenant, id, sequence } = order;
    const object = orderObject(order, '2026-12-21T10:00:00.000+05:30');
    await this.consume(type, object, { tenant, about: id, sequence });
  }

  /** Resolves when this service has processed the event, and what it published then is consumed. */
  override async consume(...event: Parameters<ServiceStage['consume']>): Promise<void> {
    await super.consume(...event);
    await this.published();
  }

  /** Publishes what mandates reports about a debit, and resolves when this service has processed it. */
  async debitBecomes(
    payment_id: number,
    type: Extract<EventType, `mandate_debit.${string}`>,
    changes: Partial<MandateDebit> = {},
  ): Promise<void> {
    const { mandate_id, debit_date } = await this.get(payment_id);
    this.reports += 1;
    const object = {
      payment_id,
      mandate_id,
      state: 'attempting',
      debit_date,
      failure_code: null,
      collected: null,
    };
    const event = { about: `debit_${payment_id}`, sequence: this.reports };
    await this.consume(type, { ...object, ...changes }, event);
  }

  /** The debit has brought its money. */
  async debitSucceeds(payment_id: number, provider_reference = 'c1', amount = '5000'): Promise<void> {
    const money = {
      provider_reference,
      amount: rupees(amount),
      currency: 'INR',
      others: [],
      third_party: false,
    };
    await this.debitBecomes(payment_id, 'mandate_debit.succeeded', { state: 'succeeded', collected: money });
  }

  /** A payment that can be paid: its orders are submitted and its URI is issued. */
  async payable(...orders: readonly FakeOrder[]): Promise<number> {
    const covered = orders.length > 0 ? orders : [this.neighbours.anOrder()];
    const id = await this.pay(...covered);
    for (const order of covered) await this.orderBecomes(order, 'submitted');
    await this.until(id, (payment) => payment.upi?.uri !== null);
    return id;
  }

  /** Sends a callback of the provider, and returns the HTTP answer. */
  async report(
    callback: Omit<PaymentCallback, 'event_id'> & { event_id?: string },
    signature = 'good',
    from: 'gatewaypoa' | 'sdkvendor' = 'gatewaypoa',
  ): Promise<Answered> {
    const name = `callback ${(this.callbacks += 1)}`;
    const provider = from === 'sdkvendor' ? this.sdkvendor : this.provider;
    provider.callbacks.set(name, { event_id: name, ...callback });
    const path = from === 'sdkvendor' ? '/callbacks/sdkvendor' : '/callbacks/gatewaypoa/payments';
    const answer = await this.send('POST', path, { name }, { 'x-test-signature': signature });
    await this.published();
    return answer;
  }

  /** The types of the payment's events for clients, in their order. */
  async events(id: number): Promise<string[]> {
    const rows = await this.eventRows(id);
    return rows.map((row) => row.type).filter((type) => type !== 'payment.debit_fact');
  }
}

function definitionOver(provider: FakeProvider, sdkvendor: FakeProvider): ServiceDefinition {
  const providers = new PaymentProviders([provider, sdkvendor], provider);
  @Module(paymentsWiring({ provide: PaymentProviders, useValue: providers }))
  class TestModule {}
  return { ...paymentsService, module: TestModule };
}
