import { Webhook } from 'standardwebhooks';
import { createHmac, createSecretKey } from 'node:crypto';
import {
  newWebhookSecret,
  secretBytes,
  secretText,
  upstreamSignature,
  webhookSignatures,
} from './webhook-secret.ts';

const body = '{"id":"evt_1","data":{"amount":1001.0000,"name":"आशा"}}';
const now = () => Math.floor(Date.now() / 1000);

function signed(secret: string | readonly string[], timestamp: number) {
  const id = 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignatures([secret].flat().map(secretBytes), { id, timestamp, body }),
  };
}

describe('the signature of a webhook (HOOK-11)', () => {
  it('is accepted by the official Standard Webhooks library', () => {
    const secret = newWebhookSecret();
    expect(() => new Webhook(secret).verify(body, signed(secret, now()), { jsonParse: false })).not.toThrow();
  });

  it('is refused for other bytes, another secret and an old time', () => {
    const secret = newWebhookSecret();
    const headers = signed(secret, now());
    expect(() => new Webhook(secret).verify(body.replace('1001.0000', '1001'), headers)).toThrow(
      'No matching',
    );
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching');
    expect(() => new Webhook(secret).verify(body, signed(secret, now() - 3600))).toThrow('too old');
  });

  it('is accepted by a receiver that has one of its secrets', () => {
    const [old, fresh] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signed([fresh, old], now());
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of [old, fresh])
      expect(() => new Webhook(secret).verify(body, headers, { jsonParse: false })).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching');
  });

  it('is created with 32 random bytes (HOOK-4)', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});

describe('the signature for a receiver of the upstream (COMP-10)', () => {
  const headerOf = (secret: string) => upstreamSignature(createSecretKey(secretText(secret)), body);

  it('is what its receivers compute from the text of the secret', () => {
    const secret = newWebhookSecret();
    const [id, signature] = headerOf(secret).split(':');
    expect(signature).toBe(createHmac('sha256', secret).update(body).digest('base64'));
    expect(id).toMatch(/^ntwhsc_[0-9a-f]{32}$/);
  });

  it('names its secret, always in the same way and each in another', () => {
    const [one, other] = [newWebhookSecret(), newWebhookSecret()];
    expect(headerOf(one)).toBe(headerOf(one));
    expect(headerOf(one).split(':')[0]).not.toBe(headerOf(other).split(':')[0]);
    expect(headerOf(one)).not.toContain(one.slice('whsec_'.length));
  });
});
