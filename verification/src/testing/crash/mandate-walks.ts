import { ok, type Order } from '../purchase.ts';
import type { Buyer } from './buyer.ts';
import type { Walk } from './walks.ts';

const DAY = 24 * 60;
const LIMIT = 5000;
const AMOUNT = 2500;

/** From the authorisation by URI through a debit to the cancellation, which the provider confirms. */
export const debited: Walk = async (buyer) => {
  const mandate = await authorised(buyer);
  const order = await buyer.payableOrder(AMOUNT);
  const payment = await debit(buyer, mandate, order);
  await buyer.confirm([order]);
  await buyer.untilOrder(order, 'submitted');
  await buyer.passMinutes(2 * DAY);
  await buyer.untilPayment(payment, 'APPROVED');
  await buyer.untilOrder(order, 'successful');
  await cancel(buyer, mandate);
};

/** The debit of an order that its client never confirms: the debit releases the order, which then ends by itself. */
export const debitNeverConfirmed: Walk = async (buyer) => {
  const mandate = await authorised(buyer);
  const order = await buyer.payableOrder(AMOUNT);
  const payment = await debit(buyer, mandate, order);
  await buyer.passMinutes(16 * DAY);
  await buyer.untilPayment(payment, 'FAILED');
  await buyer.untilOrder(order, 'failed');
  await cancel(buyer, mandate);
};

/** A debit that its client cancels before its order is confirmed, and another one in its place. */
export const debitCancelled: Walk = async (buyer) => {
  const mandate = await authorised(buyer);
  const order = await buyer.payableOrder(AMOUNT);
  const payment = await debit(buyer, mandate, order);
  ok(await buyer.client.post(`/api/pg/payments/${payment}/cancel`, {}));
  await buyer.untilPayment(payment, 'FAILED');
  ok(await buyer.client.post(`/v2/mf_purchases/${order.id}/cancel`, {}));
  await buyer.untilOrder(order, 'cancelled');
  await cancel(buyer, mandate);
};

/** A plan with one installment, created immediately: its debit, and its submission after the debit. */
export const installmentCollected: Walk = async (buyer) => {
  const mandate = await authorised(buyer);
  const { mf_investment_account, consent } = await buyer.seeded();
  const monthly = { systematic: true, frequency: 'monthly', installment_day: 10, number_of_installments: 1 };
  const order = { mf_investment_account, consent, scheme: 'INF209K01VD7', folio_number: '91012345678' };
  const collected = { amount: AMOUNT, payment_method: 'mandate', payment_source: String(mandate) };
  const asked = { ...monthly, ...order, ...collected, generate_first_installment_now: true };
  const plan = String(ok(await buyer.client.post('/v2/mf_redemption_plans', asked)).body['id']);
  const installment = async () => {
    const { body } = ok(await buyer.client.get(`/v2/mf_redemptions?plan=${plan}`));
    return (body['data'] as { id: string; payment_id: number | null }[])[0];
  };
  const isRaised = async () => typeof (await installment())?.payment_id === 'number';
  await buyer.until(`the debit of ${plan} to be raised`, isRaised, true);
  const made = await installment();
  if (!made?.payment_id) throw new Error(`${plan} has lost its installment`);
  buyer.orders.add(made.id);
  buyer.payments.add(made.payment_id);
  await buyer.passMinutes(2 * DAY);
  await buyer.untilPayment(made.payment_id, 'APPROVED');
  await buyer.untilOrder(made, 'successful');
  const state = async () => ok(await buyer.client.get(`/v2/mf_redemption_plans/${plan}`)).body['state'];
  await buyer.until(`plan ${plan} to be completed`, state, 'completed');
  await cancel(buyer, mandate);
};

/** The investor pauses and resumes at the bank; a debit that was admitted before goes on. */
export const pausedAndResumed: Walk = async (buyer) => {
  const mandate = await authorised(buyer);
  await atBank(buyer, mandate, 'PAUSED');
  await untilMandate(buyer, mandate, 'PAUSED');
  await atBank(buyer, mandate, 'ACTIVE');
  await untilMandate(buyer, mandate, 'APPROVED');
  await atBank(buyer, mandate, 'CANCELLED');
  await untilMandate(buyer, mandate, 'CANCELLED');
};

/** Cancelled while a debit waits: the bank is not called, and the order can be paid by other means. */
export const cancelledBeforeItsDebit: Walk = async (buyer) => {
  const mandate = await authorised(buyer);
  const order = await buyer.payableOrder(AMOUNT);
  const payment = await debit(buyer, mandate, order);
  await buyer.confirm([order]);
  await buyer.untilOrder(order, 'submitted');
  await cancel(buyer, mandate);
  await buyer.passMinutes(2 * DAY);
  await buyer.untilPayment(payment, 'FAILED');
  await buyer.untilOrder(order, 'failed');
};

/** Its last day passes. */
export const expired: Walk = async (buyer) => {
  const valid_to = new Date((await buyer.now()) + DAY * 60_000).toISOString().slice(0, 10);
  const mandate = await authorised(buyer, { valid_to });
  await buyer.passMinutes(3 * DAY);
  await untilMandate(buyer, mandate, 'EXPIRED');
};

/** The first authorisation fails, the second approves, and the first one's approval comes late: a surplus, revoked. */
export const approvedTwice: Walk = async (buyer) => {
  const mandate = await created(buyer);
  const first = await authorise(buyer, mandate);
  await buyer.play(first, 'FAILED');
  await buyer.untilPayment(first, 'FAILED');
  const second = await authorise(buyer, mandate);
  await buyer.play(second, 'SUCCESS');
  await untilMandate(buyer, mandate, 'APPROVED');
  await buyer.play(first, 'SUCCESS');
  const late = async () => (await buyer.payment(first))['late_auth'];
  await buyer.until(`payment ${first} to be authorised late`, late, true);
  await cancel(buyer, mandate);
};

/** Admissions and authorisations are checked after a minute, and found alive. */
export const checked: Walk = async (buyer) => {
  const mandate = await created(buyer);
  const authorisation = await authorise(buyer, mandate);
  await buyer.passMinutes(2);
  await buyer.play(authorisation, 'SUCCESS');
  await untilMandate(buyer, mandate, 'APPROVED');
  await cancel(buyer, mandate);
};

async function created(buyer: Buyer, more: object = {}): Promise<number> {
  const { bank_account_id } = await buyer.seeded();
  const body = { mandate_type: 'UPI', bank_account_id, provider_name: 'GATEWAYPOA', mandate_limit: LIMIT };
  const { body: answer } = ok(await buyer.client.post('/api/pg/mandates', { ...body, ...more }));
  const id = Number(answer['id']);
  buyer.mandates.add(id);
  return id;
}

/** Returns the AUTH_TRANSACTION payment. */
async function authorise(buyer: Buyer, mandate_id: number): Promise<number> {
  const body = { mandate_id, upi: { type: 'uri' } };
  const payment = Number(ok(await buyer.client.post('/api/pg/payments/emandate/auth', body)).body['id']);
  buyer.payments.add(payment);
  return payment;
}

/** A mandate that may be debited. */
export async function authorised(buyer: Buyer, more: object = {}): Promise<number> {
  const mandate = await created(buyer, more);
  const payment = await authorise(buyer, mandate);
  await atBank(buyer, mandate, 'APPROVED');
  await buyer.untilPayment(payment, 'SUCCESS');
  await untilMandate(buyer, mandate, 'APPROVED');
  return mandate;
}

/** Returns the NACH payment. */
export async function debit(buyer: Buyer, mandate_id: number, order: Order): Promise<number> {
  const body = { mandate_id, amc_order_ids: [order.oldId] };
  const payment = Number(ok(await buyer.client.post('/api/pg/payments/nach', body)).body['id']);
  buyer.payments.add(payment);
  return payment;
}

/** Cancels it, and waits until it is shown as cancelled. */
export async function cancel(buyer: Buyer, mandate: number): Promise<void> {
  ok(await buyer.client.post(`/api/pg/mandates/${mandate}/cancel`, {}));
  await untilMandate(buyer, mandate, 'CANCELLED');
}

async function atBank(buyer: Buyer, mandate: number, status: string): Promise<void> {
  ok(await buyer.client.post(`/api/pg/simulate/mandates/${mandate}`, { status }));
}

function untilMandate(buyer: Buyer, mandate: number, wanted: string): Promise<void> {
  const read = async () => ok(await buyer.client.get(`/api/pg/mandates/${mandate}`)).body['mandate_status'];
  return buyer.until(`mandate ${mandate} to be ${wanted}`, read, wanted);
}
