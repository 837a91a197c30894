import { callbackJson, LONGEST_ID } from '../callback-json.ts';
import { CallbackUnresolved, UnreadableCallback, type CallbackHeaders } from '../answer.ts';
import type { PaymentCallback } from '../ports.ts';
import type { MandateState } from '../mandate-ports.ts';
import { nameIn, type OrderName, type SdkvendorBooks } from './books.ts';
import { attemptOf } from './mandate-transform.ts';
import { RAZORPAY_EVENT_ID_HEADER, verifyWebhook } from './signature.ts';
import { attemptStatus, toRefundStatus } from './transform.ts';
import { deliveredEvent, eventHead, paymentEvent, refundEvent, type EventHead } from './wire.ts';

/**
 * Reads a webhook of Razorpay. A payment in it has an order id, but no trustworthy reference of ours: its notes come from the
 * side that started the attempt, which with an SDK is the investor's browser. So we request the order's receipt, which only we
 * can set.
 */
export async function readWebhook(
  from: { readonly webhookSecret: string; readonly books: SdkvendorBooks },
  headers: CallbackHeaders,
  rawBody: string,
): Promise<PaymentCallback> {
  verifyWebhook(from.webhookSecret, headers, rawBody);
  const event_id = headers[RAZORPAY_EVENT_ID_HEADER];
  const body = callbackJson(rawBody);
  const head = eventHead.safeParse(body);
  if (typeof event_id !== 'string' || event_id === '' || event_id.length > LONGEST_ID || !head.success)
    throw new UnreadableCallback('the webhook has no event id, or is not an event');
  const { token } = head.data.payload;
  if (token) return { event_id, ...tokenSaid(head.data.event, token.entity) };
  const name = await nameOf(head.data, from.books);
  return { event_id, reference: name.reference, fact: factOf(head.data, body, name) };
}

/** The object of a webhook, by our own reference and kind. */
interface Named extends Omit<OrderName, 'receipt'> {
  readonly reference: string;
}

/** A webhook that does not belong to our payments or refunds keeps its own id, which matches none of ours. */
async function nameOf({ event, payload }: EventHead, books: SdkvendorBooks): Promise<Named> {
  const others = { about: 'payment', notice_number: 1 } as const;
  const { refund, order, notification } = payload;
  if (refund) return { ...others, reference: refund.entity.receipt ?? refund.entity.id };
  if (order) {
    const name = nameIn(order.entity);
    return { ...name, reference: name.receipt ?? order.entity.id };
  }
  const payment = payload.payment?.entity;
  const orderId = payment?.order_id ?? notification?.entity.order_id;
  if (!orderId) return { ...others, reference: payment?.id ?? notification?.entity.id ?? event };
  const answer = await books.nameOf(orderId);
  if (answer.kind === 'yes') return { ...answer.value, reference: answer.value.receipt ?? orderId };
  if (answer.kind === 'no') return { ...others, reference: orderId };
  throw new CallbackUnresolved(`the order ${orderId} could not be requested: ${answer.kind}`);
}

/** Null means: request the status. So for an unknown word, and for a failed attempt, because the payment may still succeed. */
function factOf({ event }: EventHead, body: unknown, name: Named): PaymentCallback['fact'] {
  switch (event) {
    case 'payment.authorized':
    case 'payment.captured':
    case 'payment.failed':
    case 'order.paid':
      return paymentFact(event, body, name);
    case 'order.notification.delivered':
    case 'order.notification.failed':
      return noticeFact(event, body, name);
    case 'refund.created':
    case 'refund.processed':
    case 'refund.failed': {
      const parsed = refundEvent.safeParse(body);
      return parsed.success
        ? { about: 'refund', refund: toRefundStatus(parsed.data.payload.refund.entity) }
        : null;
    }
    default:
      return null;
  }
}

/**
 * Money for a payment, or a debit's attempt. Only the token shows whether an authorised payment has created a mandate, so the
 * status is requested.
 */
function paymentFact(event: string, body: unknown, { about }: Named): PaymentCallback['fact'] {
  const parsed = paymentEvent.safeParse(body);
  if (!parsed.success || about === 'authorisation') return null;
  const { entity } = parsed.data.payload.payment;
  const payment = attemptStatus(entity);
  // An attempt may exist twice; the failure of one does not decide the other.
  if (event === 'payment.failed' || payment.status === 'failed') return null;
  if (about !== 'debit') return { about: 'payment', payment };
  const attempt_reference = attemptOf(entity);
  return attempt_reference === null ? null : { about: 'debit', attempt_reference, payment };
}

function noticeFact(event: string, body: unknown, { about, notice_number }: Named): PaymentCallback['fact'] {
  if (about !== 'debit') return null;
  if (event === 'order.notification.failed')
    return {
      about: 'notice',
      notice_number,
      notice: { status: 'failed', message: 'The notification did not reach the investor' },
    };
  const { event: said, created_at, payload } = deliveredEvent.parse(body);
  const proof = JSON.stringify({ event: said, created_at, order_id: payload.order?.entity.id });
  const at = created_at == null ? null : new Date(created_at * 1000);
  return { about: 'notice', notice_number, notice: { status: 'delivered', proof, at } };
}

const STATES: ReadonlyMap<string, MandateState['status']> = new Map([
  ['token.confirmed', 'active'],
  ['token.resumed', 'active'],
  ['token.paused', 'paused'],
  ['token.cancelled', 'cancelled'],
  ['token.expired', 'expired'],
  ['token.rejected', 'rejected'],
]);

/**
 * A token is a mandate. When it is confirmed or rejected, its authorisation has ended. If the token's notes, which only our order
 * can set, contain the authorisation, its status is requested.
 */
function tokenSaid(
  event: string,
  token: NonNullable<EventHead['payload']['token']>['entity'],
): Omit<PaymentCallback, 'event_id'> {
  const said = token.notes && !Array.isArray(token.notes) ? token.notes.reference : null;
  const endsAuthorisation = event === 'token.confirmed' || event === 'token.rejected';
  if (endsAuthorisation && typeof said === 'string') return { reference: said, fact: null };
  const state = STATES.get(event);
  const fact = state ? ({ about: 'mandate', mandate_token: token.id, state } as const) : null;
  return { reference: token.id, fact };
}
