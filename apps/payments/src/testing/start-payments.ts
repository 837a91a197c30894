import { EVENTS, newId, stringifyJson, type EventType, type PaymentDto } from '@fundrail/contracts';
import type { ServiceDefinition } from '@fundrail/service-kit';
import { FakeClock, ServiceStage, startService, waitFor, type StartedService } from '@fundrail/testing';
import { Module } from '@nestjs/common';
import { paymentsService } from '../index.ts';
import { PaymentProviders } from '../outside/payment-providers.ts';
import type { OrderState } from '../payment/orders-of-payment.ts';
import { paymentsWiring } from '../payments.module.ts';
import type { PaymentCallback } from '@fundrail/providers';
import type { FakeMandate } from './fake-mandates.ts';
import { FakeNeighbours, type FakeOrder } from './fake-neighbours.ts';
import { orderObject } from './order-object.ts';
import { FakeCheckout } from './fake-checkout.ts';
import { FakeProvider } from './fake-provider.ts';

export interface Answered {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
  json<T = PaymentDto>(): T;
}

/** The service on its own database, with fakes of other services and of the providers. */
export class PaymentsStage extends ServiceStage {
  private callbacks = 0;

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

  static async start(variables: Readonly<Record<string, string>> = {}): Promise<PaymentsStage> {
    const clock = new FakeClock();
    const neighbours = new FakeNeighbours();
    neighbours.tokens.now = () => clock.now();
    const [provider, checkout] = [new FakeProvider(), new FakeCheckout()];
    const sdkvendor = new FakeProvider('SDKVENDOR', checkout);
    const around = { clock, transport: neighbours, variables };
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
    const answer = await this.service.fastify.inject({
      method,
      url,
      headers: {
        authorization: this.neighbours.tokens.header(),
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: stringifyJson(body) }),
    });
    return {
      status: answer.statusCode,
      body: answer.body,
      headers: answer.headers,
      json: () => answer.json(),
    };
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
        this.service.dueWorker.wake();
        const payment = await this.get(id);
        return (await condition(payment)) ? payment : null;
      },
      { what: `payment ${id}` },
    );
  }

  /** Publishes a new state of an order, and resolves when this service has processed it. */
  async orderBecomes(
    order: FakeOrder,
    state: OrderState,
    type: EventType = 'mf_purchase.submitted',
  ): Promise<void> {
    order.state = state;
    order.sequence += 1;
    await this.publishOrder(order, type);
  }

  async publishOrder(order: FakeOrder, type: EventType = 'mf_purchase.submitted'): Promise<void> {
    const object = orderObject(order, '2026-12-21T10:00:00.000+05:30');
    await this.publish(type, order.tenant, order.id, order.sequence, object);
  }

  /** Publishes an event of another service, and resolves when this service has processed it. */
  async publish(
    type: EventType,
    tenant: string,
    aggregate_id: string,
    sequence: number,
    object: object,
  ): Promise<void> {
    const about = { id: newId('event'), type, version: EVENTS[type].version, tenant, aggregate_id, sequence };
    const data = stringifyJson({ object, previous_attributes: null });
    const [published] = this.started.bus.publish([
      { ...about, occurred_at: '2026-12-21T10:00:00.000+05:30', data, traceparent: null },
    ]);
    const outcome = await published;
    if (!outcome?.published) throw new Error('the event was not processed');
  }

  /** Publishes that a mandate has ended, and resolves when this service has processed it. */
  async mandateEnds(mandate: FakeMandate, type: 'mandate.cancelled' | 'mandate.expired'): Promise<void> {
    mandate.mandate_status = type === 'mandate.cancelled' ? 'CANCELLED' : 'EXPIRED';
    const at = '2026-12-21T10:00:00.000+05:30';
    const absent = { rejected_reason: null, received_at: null, submitted_at: null, approved_at: null };
    const { authorising: _, investor_profile: __, tenant, ...facts } = mandate;
    const ends = {
      rejected_at: null,
      cancelled_at: at,
      paused_at: null,
      expired_at: null,
      source_ref_id: null,
    };
    await this.publish(type, tenant, String(mandate.id), 9, { ...facts, ...absent, ...ends, created_at: at });
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
    return this.send('POST', path, { name }, { 'x-test-signature': signature });
  }

  /** Waits until the query finds something. */
  untilRows(text: string): Promise<unknown> {
    return waitFor(async () => (await this.rows(text)).length > 0, { what: text });
  }

  /** The payment's events in their order. Throws when their sequence has a gap. */
  async eventRows(id: number): Promise<{ type: string; sequence: number; data: string }[]> {
    const rows = await this.rows<{ type: string; sequence: number; data: string }>(
      'SELECT type, sequence, data FROM outbox WHERE aggregate_id = $1 ORDER BY sequence',
      String(id),
    );
    if (rows.some(({ sequence }, index) => sequence !== index + 1))
      throw new Error(`the events of payment ${id} are ${rows.map((row) => row.sequence).join(', ')}`);
    return rows;
  }

  /** The types of the payment's events, in their order. */
  async events(id: number): Promise<string[]> {
    const rows = await this.eventRows(id);
    return rows.map((row) => row.type);
  }
}

function definitionOver(provider: FakeProvider, sdkvendor: FakeProvider): ServiceDefinition {
  const providers = new PaymentProviders([provider, sdkvendor], provider);
  @Module(paymentsWiring({ provide: PaymentProviders, useValue: providers }))
  class TestModule {}
  return { ...paymentsService, module: TestModule };
}
