import { waitFor, type WebhookReceiver } from '@fundrail/testing';
import type { ApiAnswer } from '../api-client.ts';
import { ok, seedOf, type Order, type Seed } from '../purchase.ts';
import { PatientClient, type Reachable } from './patient-client.ts';

/** Long enough for a few restarts on a busy machine. */
const PATIENCE_MS = 120_000;
const EVERY_MS = 40;

/** A buyer app that records the ids in the answers it received. An id that is missing there belongs to a doubled effect. */
export class Buyer {
  /** Ids of orders, payments and mandates from answers. */
  readonly orders = new Set<string>();
  readonly payments = new Set<number>();
  readonly mandates = new Set<number>();
  readonly client: PatientClient;
  private seed: Promise<Seed> | null = null;

  /**
   * @param patienceMs how long a step of the product may take
   * @param everyMs the pause between two status queries
   */
  constructor(
    product: Reachable,
    private readonly patienceMs = PATIENCE_MS,
    private readonly everyMs = EVERY_MS,
  ) {
    this.client = new PatientClient(product);
  }

  /** Sends every event of this buyer's tenant to that endpoint. */
  async subscribe(receiver: WebhookReceiver): Promise<void> {
    const webhook = { url: receiver.url, event: '*' };
    const { body } = ok(await this.client.post('/v2/notification_webhooks', webhook));
    receiver.secret = String(body['secret']);
  }

  async createOrder(amount: number): Promise<Order> {
    const { mf_investment_account } = await this.seeded();
    const { body } = ok(
      await this.client.post('/v2/mf_purchases', { mf_investment_account, scheme: 'INF209K01VD7', amount }),
    );
    this.orders.add(String(body['id']));
    return { id: String(body['id']), oldId: Number(body['old_id']) };
  }

  /** An order that may be paid: reviewed, and with the investor's consent. */
  async payableOrder(amount = 5000): Promise<Order> {
    const order = await this.createOrder(amount);
    await this.untilOrder(order, 'pending');
    const { consent } = await this.seeded();
    ok(await this.client.patch('/v2/mf_purchases', { id: order.id, consent }));
    return order;
  }

  askToPay(orders: readonly Order[], more: object = {}): Promise<ApiAnswer> {
    return this.client.post('/api/pg/payments/netbanking', paymentFor(orders, more));
  }

  async pay(orders: readonly Order[], more: object = {}): Promise<number> {
    const payment = Number(ok(await this.askToPay(orders, more)).body['id']);
    this.payments.add(payment);
    return payment;
  }

  async confirm(orders: readonly Order[]): Promise<void> {
    for (const { id } of orders) ok(await this.client.patch('/v2/mf_purchases', { id, state: 'confirmed' }));
  }

  /** A payment with its link: the investor may pay. */
  async payablePayment(orders: readonly Order[]): Promise<number> {
    const payment = await this.pay(orders);
    await this.confirm(orders);
    await this.untilLink(payment);
    return payment;
  }

  /** What the investor does. */
  async play(payment: number, status: 'SUCCESS' | 'FAILED'): Promise<void> {
    ok(await this.client.post(`/api/pg/simulate/payments/${payment}`, { status }));
  }

  untilLink(payment: number): Promise<void> {
    const upi = async () => (await this.payment(payment))['upi'] as { readonly uri: string | null };
    return this.until(`payment ${payment} to have its link`, async () => (await upi()).uri !== null, true);
  }

  untilPayment(payment: number, status: string): Promise<void> {
    return this.until(
      `payment ${payment} to be ${status}`,
      async () => (await this.payment(payment))['status'],
      status,
    );
  }

  untilOrder({ id }: Pick<Order, 'id'>, state: string): Promise<void> {
    const kind = id.startsWith('mfrd_') ? 'mf_redemptions' : 'mf_purchases';
    const read = async () => ok(await this.client.get(`/v2/${kind}/${id}`)).body['state'];
    return this.until(`order ${id} to be ${state}`, read, state);
  }

  untilRefunded(payment: number): Promise<void> {
    const read = async () => (await this.payment(payment))['refund_status'];
    return this.until(`payment ${payment} to be refunded`, read, 'SUCCESSFUL');
  }

  async payment(id: number): Promise<Record<string, unknown>> {
    return ok(await this.client.get(`/api/pg/payments/${id}`)).body;
  }

  /** Moves the sandbox's clock by that many minutes. A retry after a crash moves it to the same instant. */
  async passMinutes(minutes: number): Promise<void> {
    const target = (await this.now()) + minutes * 60_000;
    while ((await this.now()) < target)
      await this.client.post('/sandbox/clock', { now: new Date(target).toISOString() });
  }

  /** The product's business time. */
  async now(): Promise<number> {
    return Date.parse(String(ok(await this.client.get('/sandbox/clock')).body['now']));
  }

  /** Polls until the value is `wanted`, up to the buyer's limit. */
  async until(what: string, read: () => Promise<unknown>, wanted: unknown): Promise<void> {
    let last: unknown;
    const reached = async () => (last = await read()) === wanted;
    await waitFor(reached, { limitMs: this.patienceMs, everyMs: this.everyMs, what }).catch(
      (error: unknown) => {
        throw new Error(`waited for ${what}: it is ${String(last)}`, { cause: error });
      },
    );
  }

  /** The objects that the sandbox has seeded for this buyer. */
  seeded(): Promise<Seed> {
    this.seed ??= seedOf(this.client);
    return this.seed;
  }
}

/** The request for a UPI payment by link. */
export function paymentFor(orders: readonly Order[], more: object = {}): object {
  return {
    amc_order_ids: orders.map((order) => order.oldId),
    method: 'UPI',
    upi: { type: 'URI' },
    payment_postback_url: 'http://localhost:8080/done',
    ...more,
  };
}
