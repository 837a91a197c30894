import { callbackJson } from '../callback-json.ts';
import type { MandateCallback } from '../mandate-ports.ts';
import type { PlanCallback } from '../plan-ports.ts';
import { UnreadableCallback, type CallbackHeaders } from '../answer.ts';
import type { OrderCallback } from '../gateway-order.ts';
import type { PaymentCallback } from '../ports.ts';
import { noticeOfKey } from '../mandate-ports.ts';
import { toAuthorisationStatus, toDebitStatus, toMandateState } from './mandate-transform.ts';
import { toPlanStatus } from './plan-transform.ts';
import { verifyCallback } from './signature.ts';
import { toOrderStatus, toPaymentStatus, toRefundStatus, toTransferStatus } from './transform.ts';
import {
  callbackHead,
  mandateCallbackBody,
  orderCallbackBody,
  paymentCallbackBody,
  planCallbackBody,
} from './wire.ts';

/** The inputs of a callback check. `now` is the wall clock, for the comparison with the callback's time stamp. */
export interface CallbackCheck {
  readonly webhookSecret: string;
  readonly now?: () => Date;
}

/** Throws `BadSignature`, or `UnreadableCallback` when not even the event's id and the reference can be read. */
export function readOrderCallback(
  check: CallbackCheck,
  headers: CallbackHeaders,
  rawBody: string,
): OrderCallback {
  const { head, body } = open(check, headers, rawBody);
  const parsed = orderCallbackBody.safeParse(body);
  const isAboutIt = parsed.success && parsed.data.order.reference === head.reference;
  return { ...head, status: isAboutIt ? toOrderStatus(parsed.data.order) : null };
}

/** As `readOrderCallback`, for payments, transfers, refunds, authorisations, debits and their notices. */
export function readPaymentCallback(
  check: CallbackCheck,
  headers: CallbackHeaders,
  rawBody: string,
): PaymentCallback {
  const { head, body } = open(check, headers, rawBody);
  const parsed = paymentCallbackBody.safeParse(body);
  return { ...head, fact: parsed.success && isAboutItsHead(parsed.data) ? factOf(parsed.data) : null };
}

/** As `readOrderCallback`, for mandates, which are identified by their token. */
export function readMandateCallback(
  check: CallbackCheck,
  headers: CallbackHeaders,
  rawBody: string,
): MandateCallback {
  const { head, body } = open(check, headers, rawBody);
  const parsed = mandateCallbackBody.safeParse(body);
  const isAboutIt = parsed.success && parsed.data.mandate.mandate_token === head.reference;
  return {
    event_id: head.event_id,
    mandate_token: head.reference,
    state: isAboutIt ? toMandateState(parsed.data.mandate) : null,
  };
}

/** As `readOrderCallback`, for redemption plans. */
export function readPlanCallback(
  check: CallbackCheck,
  headers: CallbackHeaders,
  rawBody: string,
): PlanCallback {
  const { head, body } = open(check, headers, rawBody);
  const parsed = planCallbackBody.safeParse(body);
  const isAboutIt = parsed.success && parsed.data.plan.reference === head.reference;
  return { ...head, status: isAboutIt ? toPlanStatus(parsed.data.plan) : null };
}

function open(check: CallbackCheck, headers: CallbackHeaders, rawBody: string) {
  verifyCallback(check.webhookSecret, headers, rawBody, check.now?.() ?? new Date());
  const body = callbackJson(rawBody);
  const head = callbackHead.safeParse(body);
  if (!head.success) throw new UnreadableCallback('the callback names no event_id and reference');
  return { head: { event_id: head.data.event_id, reference: head.data.reference }, body };
}

type PaymentBody = ReturnType<typeof paymentCallbackBody.parse>;

/** The object must be the one that the head names. A debit is an attempt of the payment that the head names, and a notice is about its debit. */
function isAboutItsHead(body: PaymentBody): boolean {
  switch (body.event) {
    case 'payment.updated':
      return body.payment.reference === body.reference;
    case 'transfer.updated':
      return body.transfer.reference === body.reference;
    case 'refund.updated':
      return body.refund.reference === body.reference;
    case 'authorisation.updated':
      return body.authorisation.reference === body.reference;
    case 'debit.updated':
      return body.debit.payment_reference === body.reference;
    case 'notice.updated':
      return body.notice.payment_reference === body.reference;
    default:
      return body satisfies never;
  }
}

function factOf(body: PaymentBody): PaymentCallback['fact'] {
  switch (body.event) {
    case 'payment.updated':
      return { about: 'payment', payment: toPaymentStatus(body.payment) };
    case 'transfer.updated':
      return { about: 'transfer', transfer: toTransferStatus(body.transfer) };
    case 'refund.updated':
      return { about: 'refund', refund: toRefundStatus(body.refund) };
    case 'authorisation.updated':
      return { about: 'authorisation', authorisation: toAuthorisationStatus(body.authorisation) };
    case 'debit.updated':
      return {
        about: 'debit',
        attempt_reference: body.debit.reference,
        payment: toDebitStatus(body.debit),
      };
    case 'notice.updated': {
      const { notice_number } = noticeOfKey(body.notice.reference);
      return { about: 'notice', notice_number, notice: { status: body.notice.status } };
    }
    default:
      return body satisfies never;
  }
}
