import { createHmac, timingSafeEqual } from 'node:crypto';
import { BadSignature, type CallbackHeaders } from '../answer.ts';
import type { SignedCapture } from '../provider-payment.ts';

export const RAZORPAY_SIGNATURE_HEADER = 'x-razorpay-signature';
export const RAZORPAY_EVENT_ID_HEADER = 'x-razorpay-event-id';

/** The signature of a webhook: hex HMAC-SHA256 of the raw body under the webhook's secret. */
export function signWebhook(secret: string, rawBody: string): string {
  return digest(secret, rawBody).toString('hex');
}

/** Checks a webhook's signature over its raw body, in constant time. Throws `BadSignature`. */
export function verifyWebhook(secret: string, headers: CallbackHeaders, rawBody: string): void {
  const given = headers[RAZORPAY_SIGNATURE_HEADER];
  if (typeof given !== 'string' || !isHexOf(given, digest(secret, rawBody)))
    throw new BadSignature(`the ${RAZORPAY_SIGNATURE_HEADER} header does not sign this body`);
}

/** The SDK's signature for the client after a success: hex HMAC-SHA256 of `order_id|payment_id` under the key's secret. */
export function signCapture(keySecret: string, orderId: string, paymentId: string): string {
  return digest(keySecret, `${orderId}|${paymentId}`).toString('hex');
}

/** Whether the SDK's signature proves these ids, in constant time. */
export function isSignedCapture(keySecret: string, capture: SignedCapture): boolean {
  return isHexOf(capture.signature, digest(keySecret, `${capture.order_id}|${capture.payment_id}`));
}

function digest(secret: string, text: string): Buffer {
  return createHmac('sha256', secret).update(text).digest();
}

function isHexOf(text: string, expected: Buffer): boolean {
  if (!/^[0-9a-f]{64}$/i.test(text)) return false;
  return timingSafeEqual(Buffer.from(text, 'hex'), expected);
}
