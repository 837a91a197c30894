import { seedFacts } from '@fundrail/contracts';
import { loggedAbout, waitFor } from '@fundrail/testing';
import { z } from 'zod';
import type { ApiAnswer, ApiClient } from './api-client.ts';

/** The seeded objects, as `GET /sandbox/seed` returns them, without the addresses of the outside systems. */
const seed = z.object(seedFacts.shape);
export type Seed = z.infer<typeof seed>;

export async function seedOf(client: Pick<ApiClient, 'get'>): Promise<Seed> {
  return seed.parse((await client.get('/sandbox/seed')).body);
}

/** An order, by both of its ids. */
export interface Order {
  readonly id: string;
  readonly oldId: number;
}

export async function createOrder(client: ApiClient, amount = 5000): Promise<Order> {
  const { mf_investment_account } = await seedOf(client);
  const { body } = ok(
    await client.post('/v2/mf_purchases', { mf_investment_account, scheme: 'INF209K01VD7', amount }),
  );
  return { id: String(body['id']), oldId: Number(body['old_id']) };
}

/** A redemption of ₹5000, or as in `body`. */
export async function createRedemption(client: ApiClient, body: object = { amount: 5000 }): Promise<Order> {
  const { mf_investment_account } = await seedOf(client);
  const common = { mf_investment_account, scheme: 'INF209K01VD7', folio_number: '91012345678' };
  const made = ok(await client.post('/v2/mf_redemptions', { ...common, ...body })).body;
  return { id: String(made['id']), oldId: Number(made['old_id']) };
}

/** A redemption that waits for its consent. */
export async function pendingRedemption(client: ApiClient, body?: object): Promise<Order> {
  const order = await createRedemption(client, body);
  await untilOrder(client, order, 'pending');
  return order;
}

/** An order that may be paid: reviewed, and with the investor's consent. */
export async function payableOrder(client: ApiClient, amount = 5000): Promise<Order> {
  const order = await createOrder(client, amount);
  await untilOrder(client, order, 'pending');
  const { consent } = await seedOf(client);
  ok(await client.patch('/v2/mf_purchases', { id: order.id, consent }));
  return order;
}

export function requestPayment(client: ApiClient, orders: readonly Order[]): Promise<ApiAnswer> {
  return client.post('/api/pg/payments/netbanking', {
    amc_order_ids: orders.map((order) => order.oldId),
    method: 'UPI',
    upi: { type: 'URI' },
    payment_postback_url: 'http://localhost:8080/done',
  });
}

/** A payment on the hosted page: its id, and the page's address. */
export interface FreshCheckout {
  readonly id: number;
  readonly url: string;
}

/** A fresh payment over orders of these amounts in rupees, to be paid on the hosted page. */
export async function freshCheckout(
  client: ApiClient,
  amounts: readonly number[] = [5000],
): Promise<FreshCheckout> {
  const orders = await Promise.all(amounts.map((amount) => payableOrder(client, amount)));
  const answer = await client.post('/api/pg/payments/netbanking', {
    amc_order_ids: orders.map(({ oldId }) => oldId),
    payment_postback_url: 'http://localhost:8080/done',
  });
  const { id, token_url } = ok(answer).body;
  return { id: Number(id), url: String(token_url) };
}

/** A payment with its link: the investor may pay. Returns its id. */
export async function payablePayment(client: ApiClient, orders: readonly Order[]): Promise<number> {
  const payment = Number(ok(await requestPayment(client, orders)).body['id']);
  for (const { id } of orders) ok(await client.patch('/v2/mf_purchases', { id, state: 'confirmed' }));
  await waitFor(
    async () => ((await client.get(`/api/pg/payments/${payment}`)).body['upi'] as { uri: string | null }).uri,
    {
      what: `the link of payment ${payment}`,
    },
  );
  return payment;
}

export function untilOrder(
  client: ApiClient,
  order: Order,
  state: string,
  limitMs = 60_000,
): Promise<unknown> {
  const kind = order.id.startsWith('mfrd_') ? 'mf_redemptions' : 'mf_purchases';
  const reached = async () => (await client.get(`/v2/${kind}/${order.id}`)).body['state'] === state;
  return waitFor(reached, { limitMs, what: `order ${order.id} to be ${state}` });
}

export function untilPayment(
  client: ApiClient,
  payment: number,
  status: string,
  limitMs = 60_000,
): Promise<unknown> {
  const reached = async () => (await client.get(`/api/pg/payments/${payment}`)).body['status'] === status;
  return waitFor(reached, { limitMs, what: `payment ${payment} to be ${status}` });
}

/** Waits until the payment's latest refund has that status. */
export function untilRefund(client: ApiClient, payment: number, status: string): Promise<unknown> {
  const reached = async () =>
    (await client.get(`/api/pg/payments/${payment}`)).body['refund_status'] === status;
  return waitFor(reached, { limitMs: 60_000, what: `the refund of payment ${payment} to be ${status}` });
}

/** Returns the answer when it is a success. Throws otherwise, with what the product has logged about an error of its own. */
export function ok(answer: ApiAnswer): ApiAnswer {
  if (answer.status < 300) return answer;
  const requestId = answer.headers.get('x-request-id');
  const logged = answer.status >= 500 && requestId !== null ? loggedAbout(requestId) : [];
  throw new Error([`${answer.status}: ${answer.text}`, ...logged].join('\n'));
}
