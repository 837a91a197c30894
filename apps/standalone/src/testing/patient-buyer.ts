import { waitFor, type WebhookReceiver } from '@fundrail/testing';
import { randomUUID } from 'node:crypto';
import type { ApiAnswer, ApiClient } from './api-client.ts';
import { ok, seedOf, type Order, type Seed } from './purchase.ts';

/** Wall time for one step, a restart of the product in its middle included. */
const PATIENCE_MS = 40_000;

/**
 * A buyer app that goes on when the product dies under it, as a careful one would: it names what it creates by a
 * `source_ref_id`, asks again after silence, and looks whether a step was done before it does it again.
 */
export class PatientBuyer {
  private constructor(
    private readonly client: ApiClient,
    private readonly seed: Seed,
  ) {}

  static async of(client: ApiClient): Promise<PatientBuyer> {
    return new PatientBuyer(client, await seedOf(client));
  }

  /** Tells the product where its webhooks go, and the receiver how they are signed. */
  async listen(receiver: WebhookReceiver): Promise<void> {
    const { body } = ok(
      await this.client.post('/v2/notification_webhooks', { url: receiver.url, events: ['*'] }),
    );
    receiver.secret = String(body['secret']);
  }

  /** Lets business time pass, so that what is to be asked again in minutes is asked now. */
  async letTimePass(advance: string): Promise<void> {
    await this.until(
      async () => (await this.client.post('/sandbox/clock', { advance })).status === 200,
      'the clock',
    );
  }

  /** An order with the investor's consent. */
  async payableOrder(amount: number): Promise<Order> {
    const order = await this.createOrder(amount);
    await this.untilOrder(order, ['pending']);
    await this.until(async () => {
      const { status, body } = await this.client.patch('/v2/mf_purchases', {
        id: order.id,
        consent: this.seed.consent,
      });
      return status === 200 || codeOf(body) === 'CONSENT_ALREADY_SET';
    }, `the consent on ${order.id}`);
    return order;
  }

  /** A payment of the order whose UPI link is out. */
  async payablePayment(order: Order): Promise<number> {
    const payment = await this.createPayment(order);
    await this.until(async () => {
      await this.client.patch('/v2/mf_purchases', { id: order.id, state: 'confirmed' });
      return (await this.orderOf(order))['state'] !== 'pending';
    }, `the confirmation of ${order.id}`);
    await this.until(async () => {
      const { upi, status } = await this.paymentOf(payment);
      return Boolean((upi as { uri: string | null }).uri) || status !== 'PENDING';
    }, `the link of ${payment}`);
    return payment;
  }

  async createPayment(order: Order): Promise<number> {
    const source_ref_id = randomUUID();
    const body = await this.create(
      '/api/pg/payments/netbanking',
      '/api/pg/payments',
      'payments',
      source_ref_id,
      {
        amc_order_ids: [order.oldId],
        method: 'UPI',
        upi: { type: 'URI' },
        payment_postback_url: 'http://localhost:8080/done',
      },
    );
    return Number(body['id']);
  }

  /** What the investor does at the bank. A repeat of the same is refused there, so the effect is looked at. */
  async decide(
    payment: number,
    status: 'SUCCESS' | 'FAILED',
    reached: (payment: Record<string, unknown>) => boolean,
  ): Promise<void> {
    await this.until(
      async () => {
        if (reached(await this.paymentOf(payment))) return true;
        await this.client.post(`/api/pg/simulate/payments/${payment}`, { status });
        return false;
      },
      `payment ${payment} after ${status}`,
      200,
    );
  }

  async cancelPayment(payment: number): Promise<void> {
    await this.until(async () => {
      await this.client.post(`/api/pg/payments/${payment}/cancel`, {});
      return (await this.paymentOf(payment))['status'] === 'FAILED';
    }, `the cancellation of ${payment}`);
  }

  async cancelOrder(order: Order): Promise<void> {
    await this.until(async () => {
      await this.client.post(`/v2/mf_purchases/${order.id}/cancel`, {});
      return (await this.orderOf(order))['state'] === 'cancelled';
    }, `the cancellation of ${order.id}`);
  }

  untilOrder(order: Order, states: readonly string[]): Promise<unknown> {
    return this.until(
      async () => states.includes(String((await this.orderOf(order))['state'])),
      `${order.id} ${states.join()}`,
    );
  }

  async orderOf({ id }: Order): Promise<Record<string, unknown>> {
    return ok(await this.client.get(`/v2/mf_purchases/${id}`)).body;
  }

  async paymentOf(id: number): Promise<Record<string, unknown>> {
    return ok(await this.client.get(`/api/pg/payments/${id}`)).body;
  }

  /** Every payment that was ever made for the order. */
  async paymentsOf(order: Order): Promise<Record<string, unknown>[]> {
    const { body } = ok(await this.client.get(`/api/pg/payments?amc_order_ids=${order.oldId}`));
    return body['payments'] as Record<string, unknown>[];
  }

  private async createOrder(amount: number): Promise<Order> {
    const body = await this.create('/v2/mf_purchases', '/v2/mf_purchases', 'data', randomUUID(), {
      mf_investment_account: this.seed.mf_investment_account,
      scheme: 'INF209K01VD7',
      amount,
    });
    return { id: String(body['id']), oldId: Number(body['old_id']) };
  }

  private create(
    path: string,
    listPath: string,
    list: string,
    source_ref_id: string,
    input: object,
  ): Promise<Record<string, unknown>> {
    return this.until(async () => {
      const found = ok(await this.client.get(`${listPath}?source_ref_id=${source_ref_id}`)).body[
        list
      ] as Record<string, unknown>[];
      if (found[0]) return found[0];
      return succeeded(await this.client.post(path, { ...input, source_ref_id }));
    }, `POST ${path}`);
  }

  private until<T>(step: () => Promise<T>, what: string, everyMs = 50): Promise<NonNullable<T>> {
    return waitFor(step, { limitMs: PATIENCE_MS, everyMs, what });
  }
}

function succeeded({ status, body }: ApiAnswer): Record<string, unknown> | null {
  return status === 200 ? body : null;
}

function codeOf(body: Record<string, unknown>): unknown {
  return (body['error'] as { code?: unknown } | undefined)?.code;
}
