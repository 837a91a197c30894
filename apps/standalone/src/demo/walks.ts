import { toString as drawQr } from 'qrcode';
import type { Answer, BuyerApp } from './buyer-app.ts';
import type { Investor } from './investor.ts';
import type { PurchaseSteps } from './purchase-steps.ts';
import type { Transcript } from './transcript.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** What every walk works with. */
export interface Stage {
  readonly app: BuyerApp;
  readonly hooks: WebhookEndpoint;
  readonly investor: Investor;
  readonly steps: PurchaseSteps;
  readonly transcript: Transcript;
}

/** From an order to `successful`, one order and one payment. */
export async function onePurchase(stage: Stage): Promise<void> {
  const { app, hooks, steps, transcript } = stage;
  transcript.heading('One purchase, paid by UPI');
  const order = await steps.consented(5000);
  const payment = await steps.pay(order);
  await steps.confirm(order);
  const uri = await steps.uri(payment);
  transcript.say(`${await drawQr(uri, { type: 'utf8', errorCorrectionLevel: 'L' })}\n${uri}`);
  const fetched = await app.get(`/api/pg/payments/${payment}`);
  expectSame('upi.uri of GET and of the webhook', (fetched['upi'] as Answer)['uri'], uri);
  await steps.decide(payment, 'SUCCESS');
  for (const type of ['payment.success', 'payment.initiated', 'payment.approved'])
    await hooks.waitFor(type, payment);
  await expectEnd(stage, [order], 'successful', payment);
}

/** Two orders, one payment: the link comes when both are submitted. */
export async function twoOrdersOnePayment(stage: Stage): Promise<void> {
  const { steps, transcript } = stage;
  transcript.heading('Two orders in one payment');
  const orders = [await steps.consented(1500), await steps.consented(2500.5)];
  const payment = await steps.pay(...orders);
  for (const order of orders) await steps.confirm(order);
  await steps.uri(payment);
  await steps.decide(payment, 'SUCCESS');
  await expectEnd(stage, orders, 'successful', payment);
}

/** An amount that ends in 2: the gateway's review refuses. */
export async function reviewRefused(stage: Stage): Promise<void> {
  const { hooks, steps, transcript } = stage;
  transcript.heading('The review refuses an order');
  const order = await steps.create(1002);
  const failed = await hooks.waitFor('mf_purchase.failed', order['id']);
  expectSame('the state after a refused review', failed['state'], 'failed');
}

/** An amount that ends in 1: the registrar refuses after the money has arrived. */
export async function registrarRefuses(stage: Stage): Promise<void> {
  const { steps, transcript } = stage;
  transcript.heading('The registrar refuses a paid order');
  const order = await steps.consented(1001);
  const payment = await steps.pay(order);
  await steps.confirm(order);
  await steps.uri(payment);
  await steps.decide(payment, 'SUCCESS');
  await expectEnd(stage, [order], 'failed', payment);
}

/** The investor declines; the app pays the same order again. */
export async function declinedThenRetried(stage: Stage): Promise<void> {
  const { hooks, steps, transcript } = stage;
  transcript.heading('The investor declines, and the order is paid at the second try');
  const order = await steps.consented(3000);
  const declined = await steps.pay(order);
  await steps.confirm(order);
  await steps.uri(declined);
  await steps.decide(declined, 'FAILED');
  await hooks.waitFor('payment.failed', declined);
  await payAgain(stage, order);
}

/** The investor does not pay within ten minutes of the link; the sandbox clock is moved past them. */
export async function paymentExpires(stage: Stage): Promise<void> {
  const { app, hooks, steps, transcript } = stage;
  transcript.heading('The payment expires, and the order is paid at the second try');
  const order = await steps.consented(4000);
  const expired = await steps.pay(order);
  await steps.confirm(order);
  await steps.uri(expired);
  await app.moveClock({ advance: 'PT11M' });
  const failed = await hooks.waitFor('payment.failed', expired);
  expectSame('the failure code of an expired payment', failed['failure_code'], 'payment_expired');
  await payAgain(stage, order);
}

async function payAgain(stage: Stage, order: Answer): Promise<void> {
  const { steps } = stage;
  const second = await steps.pay(order);
  await steps.uri(second);
  await steps.decide(second, 'SUCCESS');
  await expectEnd(stage, [order], 'successful', second);
}

/** The orders reach this state, and their payment is approved. Callbacks of gateway and provider cross each other, so an order may end a moment before its payment. */
export async function expectEnd(
  { app, hooks }: Stage,
  orders: Answer[],
  state: string,
  payment: number,
): Promise<void> {
  for (const order of orders) await hooks.waitFor(`mf_purchase.${state}`, order['id']);
  await hooks.waitFor('payment.approved', payment);
  for (const order of orders) {
    const { state: reached } = await app.get(`/v2/mf_purchases/${String(order['id'])}`);
    expectSame(`the state of ${String(order['id'])}`, reached, state);
  }
  const { status: reached } = await app.get(`/api/pg/payments/${payment}`);
  expectSame(`the status of payment ${payment}`, reached, 'APPROVED');
}

export function expectSame(what: string, actual: unknown, wanted: unknown): void {
  if (actual !== wanted) throw new Error(`${what} is ${String(actual)}, not ${String(wanted)}`);
}
