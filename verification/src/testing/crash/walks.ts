import { randomUUID } from 'node:crypto';
import { ok, type Order } from '../purchase.ts';
import type { Buyer } from './buyer.ts';

/** A purchase from its creation to its end. */
export type Walk = (buyer: Buyer) => Promise<void>;

/** The last digit of an amount decides the outcome at the simulated gateway (SAND-3). */
const REGISTRAR_REFUSES = 5001;
const REVIEW_FAILS = 5002;

/** Neither method nor UPI: paid on the page, or by the SDK if the tenant has it. */
export const BY_SDK = { method: undefined, upi: undefined };

export const paid: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  await payAndSettle(buyer, [order]);
  await buyer.untilOrder(order, 'successful');
};

/** The investor's UPI app gets one request, even if processes die meanwhile. */
export const collected: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.pay([order], { upi: { type: 'collect', vpa: 'success@upi' } });
  await buyer.confirm([order]);
  await buyer.untilPayment(payment, 'APPROVED');
  await buyer.untilOrder(order, 'successful');
};

export const twoOrdersInOnePayment: Walk = async (buyer) => {
  const orders = [await buyer.payableOrder(5000), await buyer.payableOrder(7000)];
  await payAndSettle(buyer, orders);
  for (const order of orders) await buyer.untilOrder(order, 'successful');
};

/** The retry comes as soon as the failure is visible: the old claim must not block it. */
export const declinedThenPaid: Walk = async (buyer) => {
  await payAgain(buyer, await declined(buyer));
};

export const reviewRefused: Walk = async (buyer) => {
  await buyer.untilOrder(await buyer.createOrder(REVIEW_FAILS), 'failed');
};

export const registrarRefused: Walk = async (buyer) => {
  const order = await buyer.payableOrder(REGISTRAR_REFUSES);
  await payAndSettle(buyer, [order]);
  await buyer.untilOrder(order, 'failed');
};

export const orderCancelled: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  ok(await buyer.client.post(`/v2/mf_purchases/${order.id}/cancel`, {}));
  await buyer.untilOrder(order, 'cancelled');
};

export const paymentCancelledThenPaid: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.payablePayment([order]);
  ok(await buyer.client.post(`/api/pg/payments/${payment}/cancel`, {}));
  await payAgain(buyer, order);
};

/** The money comes after the payment failed: it is refunded, and another payment pays the order. */
export const paidTooLate: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.payablePayment([order]);
  await buyer.play(payment, 'FAILED');
  await buyer.untilPayment(payment, 'FAILED');
  await buyer.play(payment, 'SUCCESS');
  await buyer.untilRefunded(payment);
  await payAgain(buyer, order);
};

/** The client's SDK pays under the provider's order, which the creation returns. */
export const paidBySdk: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.pay([order], BY_SDK);
  await buyer.confirm([order]);
  await buyer.play(payment, 'SUCCESS');
  await buyer.untilPayment(payment, 'APPROVED');
  await buyer.untilOrder(order, 'successful');
};

/** As `paidTooLate`, but the money is refunded under the provider's order. */
export const paidTooLateBySdk: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.pay([order], BY_SDK);
  await buyer.play(payment, 'FAILED');
  await buyer.untilPayment(payment, 'FAILED');
  await buyer.play(payment, 'SUCCESS');
  await buyer.untilRefunded(payment);
  await payAndSettle(buyer, [order]);
  await buyer.untilOrder(order, 'successful');
};

/** The second payment is refused after its claim, by a rule that only the insert checks: the claim must be freed. */
export const refusedAfterTheClaim: Walk = async (buyer) => {
  const [one, other] = [await buyer.payableOrder(), await buyer.payableOrder()];
  const source_ref_id = randomUUID();
  const payment = await buyer.pay([one], { source_ref_id });
  const refused = await buyer.askToPay([other], { source_ref_id });
  if (refused.status !== 400) throw new Error(`not refused: ${refused.status} ${refused.text}`);
  await finish(buyer, payment, [one]);
  await payAndSettle(buyer, [other]);
};

/** Both sides are polled, because their callbacks do not come meanwhile: the provider 90 s after the link (POL-10), the gateway before. */
export const askedAbout: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.payablePayment([order]);
  await buyer.passMinutes(2);
  await buyer.play(payment, 'SUCCESS');
  await buyer.untilOrder(order, 'successful');
  await buyer.untilPayment(payment, 'APPROVED');
};

const DAY = 24 * 60;

/** Paid through an SDK, and the order never confirmed: at 23:00 the money is refunded, and the order is free. */
export const sweptUnconfirmed: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  const payment = await buyer.pay([order], BY_SDK);
  await buyer.play(payment, 'SUCCESS');
  await buyer.passMinutes(DAY + 60);
  await buyer.untilPayment(payment, 'REJECTED');
  await buyer.untilRefunded(payment);
  ok(await buyer.client.post(`/v2/mf_purchases/${order.id}/cancel`, {}));
  await buyer.untilOrder(order, 'cancelled');
};

/** More than seven business days with a weekend or two. */
export const neverConfirmed: Walk = async (buyer) => {
  const order = await buyer.payableOrder();
  await buyer.passMinutes(14 * DAY);
  await buyer.untilOrder(order, 'failed');
};

/** The sweep of 23:00. */
export const neverPaid: Walk = async (buyer) => {
  const order = await declined(buyer);
  await buyer.passMinutes(DAY + 60);
  await buyer.untilOrder(order, 'failed');
};

async function declined(buyer: Buyer): Promise<Order> {
  const order = await buyer.payableOrder();
  const payment = await buyer.payablePayment([order]);
  await buyer.play(payment, 'FAILED');
  await buyer.untilPayment(payment, 'FAILED');
  return order;
}

/** Pays a submitted order: the link comes without a confirmation. */
async function payAgain(buyer: Buyer, order: Order): Promise<void> {
  await payByLink(buyer, await buyer.pay([order]));
  await buyer.untilOrder(order, 'successful');
}

async function payAndSettle(buyer: Buyer, orders: readonly Order[]): Promise<void> {
  await finish(buyer, await buyer.pay(orders), orders);
}

/** From a new payment to its end. */
export async function finish(buyer: Buyer, payment: number, orders: readonly Order[]): Promise<void> {
  await buyer.confirm(orders);
  await payByLink(buyer, payment);
}

async function payByLink(buyer: Buyer, payment: number): Promise<void> {
  await buyer.untilLink(payment);
  await buyer.play(payment, 'SUCCESS');
  await buyer.untilPayment(payment, 'APPROVED');
}
