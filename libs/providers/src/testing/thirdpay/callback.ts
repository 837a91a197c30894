import { createHmac, timingSafeEqual } from 'node:crypto';
import { callbackJson } from '../../callback-json.ts';
import { BadSignature, UnreadableCallback, type CallbackHeaders } from '../../answer.ts';
import type { PaymentCallback } from '../../ports.ts';
import { toFact } from './transform.ts';
import { callbackBody, callbackHead } from './wire.ts';

export function sign(secret: string, rawBody: string): string {
  return createHmac('sha256', secret).update(rawBody).digest('base64');
}

/** Throws `BadSignature` or `UnreadableCallback`. */
export function readCallback(secret: string, headers: CallbackHeaders, rawBody: string): PaymentCallback {
  const given = Buffer.from(String(headers['thirdpay-signature'] ?? ''));
  const expected = Buffer.from(sign(secret, rawBody));
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new BadSignature('the signature does not fit');
  const body = callbackJson(rawBody);
  const head = callbackHead.safeParse(body);
  if (!head.success) throw new UnreadableCallback('it names nothing');
  const { id: event_id, reference } = head.data;
  const parsed = callbackBody.safeParse(body);
  return { event_id, reference, fact: parsed.success ? toFact(parsed.data) : null };
}
