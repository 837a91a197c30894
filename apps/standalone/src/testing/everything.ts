import type { PatientBuyer } from './patient-buyer.ts';
import type { Order } from './purchase.ts';

/** What an order and its payments must have come to. */
export interface Ending {
  readonly order: Order;
  readonly state: string;
  /** The payment that counts, and its status. */
  readonly payment: { readonly id: number; readonly status: string } | null;
}

/** Plays each way that an order can take in the sandbox without waiting, all at the same time, to their ends. */
export async function playEverything(buyer: PatientBuyer): Promise<Ending[]> {
  return Promise.all([
    paid(buyer),
    declinedThenPaid(buyer),
    cancelledThenPaid(buyer),
    orderCancelled(buyer),
    paidTooLate(buyer),
  ]);
}

/** The one way of it that most orders take. */
export async function paid(buyer: PatientBuyer): Promise<Ending> {
  const order = await buyer.payableOrder(5000);
  return payToTheEnd(buyer, order);
}

async function declinedThenPaid(buyer: PatientBuyer): Promise<Ending> {
  const order = await buyer.payableOrder(3000);
  await buyer.decide(await buyer.payablePayment(order), 'FAILED', isFailed);
  return payToTheEnd(buyer, order);
}

async function cancelledThenPaid(buyer: PatientBuyer): Promise<Ending> {
  const order = await buyer.payableOrder(4000);
  await buyer.cancelPayment(await buyer.payablePayment(order));
  return payToTheEnd(buyer, order);
}

async function orderCancelled(buyer: PatientBuyer): Promise<Ending> {
  const order = await buyer.payableOrder(6000);
  await buyer.cancelOrder(order);
  return { order, state: 'cancelled', payment: null };
}

/** The money comes after the refusal: it goes back, and the order waits for another payment. */
async function paidTooLate(buyer: PatientBuyer): Promise<Ending> {
  const order = await buyer.payableOrder(7000);
  const payment = await buyer.payablePayment(order);
  await buyer.decide(payment, 'FAILED', isFailed);
  await buyer.decide(payment, 'SUCCESS', ({ refund_status }) => refund_status === 'SUCCESSFUL');
  return { order, state: 'submitted', payment: { id: payment, status: 'FAILED' } };
}

async function payToTheEnd(buyer: PatientBuyer, order: Order): Promise<Ending> {
  const payment = await buyer.payablePayment(order);
  await buyer.decide(payment, 'SUCCESS', ({ status }) => status === 'APPROVED');
  await buyer.untilOrder(order, ['successful']);
  return { order, state: 'successful', payment: { id: payment, status: 'APPROVED' } };
}

function isFailed({ status }: Record<string, unknown>): boolean {
  return status === 'FAILED';
}
