import { createHmac } from 'node:crypto';
import { BadSignature } from '../answer.ts';
import { isSignedCapture, signCapture, signWebhook, verifyWebhook } from './signature.ts';

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('hex');

// CAP-6: hex HMAC-SHA256 of `order_id|payment_id` under the key secret.
describe("the SDK's signature", () => {
  const capture = { order_id: 'order_1', payment_id: 'pay_1', signature: hmac('secret', 'order_1|pay_1') };

  it('given both ids, when they are signed, then it is the HMAC of them and proves them', () => {
    expect(signCapture('secret', 'order_1', 'pay_1')).toBe(capture.signature);
    expect(isSignedCapture('secret', capture)).toBe(true);
  });

  it.each([
    ['another order', { order_id: 'order_2' }],
    ['another payment', { payment_id: 'pay_2' }],
    ['the ids the other way round', { order_id: 'pay_1', payment_id: 'order_1' }],
    ['a bar that moves between them', { order_id: 'order_1|pay', payment_id: '_1' }],
    ['nothing', { signature: '' }],
    ['half of it', { signature: capture.signature.slice(0, 32) }],
    ['no hex', { signature: 'z'.repeat(64) }],
    ["another key's", { signature: hmac('other', 'order_1|pay_1') }],
  ])('given %s, when it is checked, then it proves nothing', (_, difference) => {
    expect(isSignedCapture('secret', { ...capture, ...difference })).toBe(false);
  });
});

describe("a webhook's signature", () => {
  const body = '{"event":"payment.captured"}';

  it('given the raw body, when it is signed, then the header is the HMAC of it and passes', () => {
    const signature = signWebhook('secret', body);
    expect(signature).toBe(hmac('secret', body));
    expect(() => verifyWebhook('secret', { 'x-razorpay-signature': signature }, body)).not.toThrow();
  });

  it.each<[string, Record<string, string | string[]>]>([
    ['no header', {}],
    ['two headers', { 'x-razorpay-signature': [hmac('secret', body), hmac('secret', body)] }],
    ["another secret's", { 'x-razorpay-signature': hmac('other', body) }],
    ['no hex', { 'x-razorpay-signature': 'yes' }],
  ])('given %s, when it is checked, then it is not theirs', (_, headers) => {
    expect(() => verifyWebhook('secret', headers, body)).toThrow(BadSignature);
  });

  it('given one byte more, when it is checked, then it is not theirs', () => {
    const headers = { 'x-razorpay-signature': hmac('secret', body) };
    expect(() => verifyWebhook('secret', headers, `${body} `)).toThrow(BadSignature);
  });
});
