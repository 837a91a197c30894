import { spawnSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, webhookSignatures } from './webhook-secret.ts';

const body = '{"id":"evt_1","data":{"amount":1001.0000,"name":"आशा"}}';
const now = () => Math.floor(Date.now() / 1000);

function signed(secret: string | readonly string[], timestamp: number) {
  const id = 'evt_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': webhookSignatures([secret].flat(), { id, timestamp, body }),
  };
}

describe('the signature of a webhook', () => {
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

  it('is accepted by who knows one of its secrets', () => {
    const [old, fresh] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signed([fresh, old], now());
    expect(headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    for (const secret of [old, fresh])
      expect(() => new Webhook(secret).verify(body, headers, { jsonParse: false })).not.toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow('No matching');
  });

  it('is made with 32 random bytes', () => {
    const secret = newWebhookSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newWebhookSecret()).not.toBe(secret);
  });
});

/** An interpreter with `standardwebhooks` of PyPI, as docs/webhooks.md says: where there is none, nothing is asked of it. */
const PYTHON = process.env['PYTHON'] ?? 'python3';
const isThere = spawnSync(PYTHON, ['-c', 'import standardwebhooks']).status === 0;

const VERIFY = `
import json, sys
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
for line in sys.stdin:
    one = json.loads(line)
    try:
        Webhook(one["secret"]).verify(one["body"], one["headers"])
        print("taken")
    except WebhookVerificationError:
        print("refused")
`;

if (isThere)
  describe('signatures', () => {
    it('are taken by the Python library when one of its secrets signed, and refused else', () => {
      // given
      const [secret, former, foreign] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
      const timestamp = Math.floor(Date.now() / 1000);
      const body = '{"id":"evt_1","amount":1001.0000,"name":"Ünïcödé"}';
      const post = (over: { secret: string; body?: string; at?: number }) => {
        const at = over.at ?? timestamp;
        const headers = {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(at),
          'webhook-signature': webhookSignatures([secret, former], { id: 'evt_1', timestamp: at, body }),
        };
        return JSON.stringify({ secret: over.secret, body: over.body ?? body, headers });
      };
      // when
      const posts = [
        post({ secret }),
        post({ secret: former }),
        post({ secret: foreign }),
        post({ secret, body: body.replace('1001.0000', '1001') }),
        post({ secret, at: timestamp - 600 }),
      ];
      const { stdout, stderr } = spawnSync(PYTHON, ['-c', VERIFY], {
        input: posts.join('\n'),
        encoding: 'utf8',
      });
      // then
      expect([stdout.trim().split('\n'), stderr]).toEqual([
        ['taken', 'taken', 'refused', 'refused', 'refused'],
        '',
      ]);
    });
  });
