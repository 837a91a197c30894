import { parseJson } from '@fundrail/contracts';
import { CallbackUnresolved, UnreadableCallback } from '../ports.ts';
import type { CallbackHeaders, PaymentCallback } from '../ports.ts';
import type { SdkvendorBooks } from './books.ts';
import { RAZORPAY_EVENT_ID_HEADER, verifyWebhook } from './signature.ts';
import { attemptStatus, toRefundStatus } from './transform.ts';
import { eventHead, paymentEvent, refundEvent } from './wire.ts';
import type { EventHead } from './wire.ts';

/**
 * Reads a webhook of Razorpay. A payment in it names an order, never our reference in words that could be trusted: its notes
 * come from whoever began the attempt, which with an SDK is the investor's browser. So the order is asked for its receipt,
 * which only we can have given.
 */
export async function readWebhook(
  from: { readonly webhookSecret: string; readonly books: SdkvendorBooks },
  headers: CallbackHeaders,
  rawBody: string,
): Promise<PaymentCallback> {
  verifyWebhook(from.webhookSecret, headers, rawBody);
  const event_id = headers[RAZORPAY_EVENT_ID_HEADER];
  const body = jsonOf(rawBody);
  const head = eventHead.safeParse(body);
  if (typeof event_id !== 'string' || event_id === '' || !head.success)
    throw new UnreadableCallback('the webhook has no event id, or is no event');
  const reference = await referenceOf(head.data, from.books);
  return { event_id, reference, fact: factOf(head.data.event, body) };
}

/** What is not about a payment or refund of ours keeps its own name, which is nobody's here. */
async function referenceOf({ event, payload }: EventHead, books: SdkvendorBooks): Promise<string> {
  if (payload.refund) return payload.refund.entity.receipt ?? payload.refund.entity.id;
  if (payload.order) return payload.order.entity.receipt ?? payload.order.entity.id;
  const payment = payload.payment?.entity;
  if (!payment?.order_id) return payment?.id ?? event;
  const answer = await books.receiptOf(payment.order_id);
  if (answer.kind === 'yes') return answer.value ?? payment.order_id;
  if (answer.kind === 'no') return payment.order_id;
  throw new CallbackUnresolved(`the order ${payment.order_id} could not be asked: ${answer.kind}`);
}

/** Null asks for the status: a word that we do not know, and the failure of one attempt, which is not yet the payment's. */
function factOf(event: string, body: unknown): PaymentCallback['fact'] {
  switch (event) {
    case 'payment.authorized':
    case 'payment.captured':
    case 'order.paid': {
      const parsed = paymentEvent.safeParse(body);
      if (!parsed.success) return null;
      const payment = attemptStatus(parsed.data.payload.payment.entity);
      return payment.status === 'failed' ? null : { about: 'payment', payment };
    }
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

function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    throw new UnreadableCallback('the webhook is not JSON');
  }
}
