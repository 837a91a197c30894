import { Decimal } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { recordWebhook } from '../callback/callback.repository.ts';
import { noAttempt } from '../debit/debit.ts';
import type { ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import { store } from '../store/simulator.tables.ts';
import { NEWEST } from './listing.ts';
import { razorpayId } from './razorpay-id.ts';
import type { SdkOrderRow } from './sdk-order.ts';
import { attemptToPlay, endAttempt, newAttempt, toPaymentObject } from './sdk-payment.ts';
import type { AttemptEnd, SdkPaymentRow } from './sdk-payment.ts';

const NOTHING = Decimal.ofPaise(0);

/**
 * Ends an attempt as its order's payment ended, and stores the webhook that reports it. `attemptId` is the attempt that ended; without
 * it, a test simulated the investor by the order. An investor who pays through Razorpay's SDK in the browser has no attempt here, so one
 * is created. This transaction holds the payment's lock.
 */
export async function settleAttempt(tx: Tx, payment: ProviderPaymentRow, attemptId?: string): Promise<void> {
  const order = await store.sdkOrders.find(tx, { reference: payment.reference });
  if (!order) throw new Error(`${payment.reference} has no order`);
  const attempts = await store.attempts.list(tx, { order_id: order.id }, NEWEST);
  const attempt = attemptId
    ? attempts.find(({ id }) => id === attemptId)
    : attemptToPlay(attempts, payment.captures);
  // The SDK in a browser can authorise and pay, but only our server debits.
  if (!attempt && payment.kind === 'debit') throw noAttempt('sdkvendor');
  const ended = endAttempt(attempt ?? (await createdBySdk(tx, order)), endOf(payment));
  await store.attempts.save(tx, ended);
  const { tenant, reference } = payment;
  const event = ended.status === 'captured' ? 'payment.captured' : 'payment.failed';
  const mandate = payment.kind === 'authorisation' ? await store.mandates.find(tx, { reference }) : null;
  const of = { token_id: mandate?.token ?? null, customer_id: mandate?.customer_id ?? null };
  const entities = { payment: toPaymentObject({ ...ended, ...of }, NOTHING) };
  await recordWebhook(tx, { tenant, reference, event, entities });
}

async function createdBySdk(tx: Tx, order: SdkOrderRow): Promise<SdkPaymentRow> {
  const { id: order_id, tenant, amount, currency } = order;
  const method = order.method === 'emandate' ? 'emandate' : 'upi';
  const id = razorpayId('pay');
  const attempt = newAttempt({ id, order_id, tenant, amount, currency, method, created_at: tx.now });
  await store.attempts.insert(tx, attempt);
  return attempt;
}

function endOf({ status, failure_code, failure_message }: ProviderPaymentRow): AttemptEnd {
  if (status === 'captured') return { status };
  return {
    status: 'failed',
    failure_code: failure_code ?? 'payment_failed',
    message: failure_message ?? 'The payment failed',
  };
}
