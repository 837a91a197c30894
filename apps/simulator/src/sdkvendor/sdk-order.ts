import { Decimal } from '@fundrail/contracts';
import type { sdkvendorWire } from '@fundrail/providers/sdkvendor';
import { z } from 'zod';
import { awaitPayer, type ProviderPaymentRow } from '../provider-payment/provider-payment.ts';
import type { NoticeRow } from '../debit/notice.ts';
import type { Notes, OrderFacts, StoreRow } from '../store/simulator.tables.ts';
import { intentLink } from './intent-link.ts';
import { inSeconds } from './listing.ts';

export type SdkOrderRow = StoreRow<'sdkOrders'>;

/** The pre-debit notification that an order carries. */
export type OrderNotification = Pick<NoticeRow, 'mandate_token' | 'execute_at'>;

/** The owner of the order: our payment, when our adapter's notes name it. */
export interface OrderOwner {
  readonly tenant: string;
  readonly payment_id: number | null;
}

const ownerNotes = z.object({ tenant: z.string().min(1), payment_id: z.coerce.number().int().positive() });
// The tenant of orders whose notes name none, such as those of a merchant who tries Razorpay's SDK.
const DEFAULT_TENANT = 'demo';
// Razorpay's minimum amount, one rupee, and how long an order in the sandbox can be paid.
const LEAST_PAISE = 100;
const ORDER_LIVES_MS = 30 * 60_000;

export function ownerOf(notes: Notes): OrderOwner {
  const parsed = ownerNotes.safeParse(notes);
  return parsed.success ? parsed.data : { tenant: DEFAULT_TENANT, payment_id: null };
}

/** Why an order is refused, or null. */
export function orderFault({ amount, currency, method }: sdkvendorWire.OrderRequest): string | null {
  // razorpay.com/docs/api/payments/recurring-payments/emandate: an e-mandate is authorised with an amount of zero.
  if (amount < (method === 'emandate' ? 0 : LEAST_PAISE))
    return 'Order amount less than minimum amount allowed';
  return currency === 'INR' ? null : 'Currency is not supported';
}

export function newOrder(
  id: string,
  request: sdkvendorWire.OrderRequest,
  owner: OrderOwner,
  now: Date,
): SdkOrderRow {
  const { amount, currency } = request;
  const receipt = request.receipt ?? null;
  const reference = owner.payment_id === null || receipt === null ? id : receipt;
  return {
    ...{ id, reference, tenant: owner.tenant, receipt, amount: Decimal.ofPaise(amount), currency },
    ...{ notes: request.notes ?? [], method: request.token ? (request.method ?? 'upi') : null },
    repeats: false,
    created_at: now,
  };
}

/** The same order, created a second time: Razorpay keeps both. */
export function repeatOf(order: SdkOrderRow): SdkOrderRow {
  return { ...order, reference: order.id, repeats: true };
}

/** The order as a payment of the provider, for the investor's page and the transfers. */
export function asProviderPayment(
  order: SdkOrderRow,
  owner: OrderOwner,
  payee_name: string,
): ProviderPaymentRow {
  const { reference, amount, tenant, created_at } = order;
  const { payment_id } = owner;
  const expires_at = new Date(created_at.getTime() + ORDER_LIVES_MS);
  return awaitPayer({
    ...{ kind: 'payment', provider: 'sdkvendor', reference, payment_id, tenant, amount, payee_name },
    ...{ vpa: null, upi_uri: intentLink({ amount, payee_name }), expires_at, created_at },
  });
}

/** The order as in Razorpay's responses. `paid`: its payment is captured. `attempts`: how many were started. */
export function toOrderObject(
  row: SdkOrderRow,
  state: { readonly paid: boolean; readonly attempts: number },
  notification?: OrderNotification | null,
) {
  const amount = row.amount.toPaise();
  const untouched = state.attempts === 0 ? 'created' : 'attempted';
  return {
    ...{ id: row.id, entity: 'order', amount, currency: row.currency, receipt: row.receipt, offer_id: null },
    ...{ amount_paid: state.paid ? amount : 0, amount_due: state.paid ? 0 : amount },
    ...{ status: state.paid ? 'paid' : untouched, attempts: state.attempts, notes: row.notes },
    ...(notification && { notification: toNotification(row.id, notification) }),
    created_at: inSeconds(row.created_at),
  };
}

/** The order as in Razorpay's responses. */
export function statedObject(row: SdkOrderRow & OrderFacts) {
  const { notified_token: mandate_token, notified_for: execute_at } = row;
  const notification = mandate_token && execute_at ? { mandate_token, execute_at } : null;
  return toOrderObject(row, row, notification);
}

function toNotification(orderId: string, { mandate_token, execute_at }: OrderNotification) {
  const id = orderId.replace('order_', 'notification_');
  return { id, token_id: mandate_token, payment_after: inSeconds(execute_at) };
}
