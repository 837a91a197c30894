import { DataCipher } from '@fundrail/service-kit/crypto';
import { waitFor } from '@fundrail/testing';
import { Webhook } from 'standardwebhooks';
import { WebhookSender } from './delivery/webhook-sender.ts';
import { secretCell } from './notification-webhook/notification-webhook.ts';
import { EndpointServer, type Hit } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const PATH = '/v2/notification_webhooks';

describe('the secrets of an endpoint', () => {
  let stage: WebhooksStage;
  let server: EndpointServer;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
    server = await EndpointServer.start();
  });
  afterAll(async () => {
    await stage.end();
    await server.stop();
  });

  it('sign with the old secret too for 24 hours after a rotation (HOOK-4, HOOK-5, CONV-31)', async () => {
    // given
    const { id, secret } = await stage.endpoint(server.url, ['payment.*']);
    const sent = async () => {
      const { body } = await stage.send({ method: 'POST', url: `${PATH}/${id}/test` });
      return waitFor(() => server.hits.find((hit) => hit.headers['webhook-id'] === body['event']));
    };
    const verifies = (hit: Hit, known: string) => {
      try {
        new Webhook(known).verify(hit.raw, hit.headers);
        return true;
      } catch {
        return false;
      }
    };
    // when
    const rotated = await stage.send({ method: 'POST', url: `${PATH}/${id}/rotate_secret` });
    // then
    const fresh = String(rotated.body['secret']);
    expect(rotated.body).toMatchObject({ id, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    expect(fresh).not.toBe(secret);
    const during = await sent();
    expect([verifies(during, fresh), verifies(during, secret)]).toEqual([true, true]);
    // when
    await stage.advance(86_400_001);
    // then
    const after = await sent();
    expect([verifies(after, fresh), verifies(after, secret)]).toEqual([true, false]);
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  it('that no key can decrypt are logged as our failure, and not stored as a failed attempt of the endpoint', async () => {
    const other = new DataCipher('another secret of at least 32 characters');
    const cell = secretCell({ id: 'nwh_1', tenant: 'demo' });
    const post = {
      ...{ url: server.url, id: 'evt_unsigned', body: '{}', traceparent: null, queued_ms: 0 },
      secrets_encrypted: [{ value: other.encrypt('whsec_AAAA', cell), cell }],
      compatibility: null,
    };
    const sending = stage.service.app.get(WebhookSender).send(post, new AbortController().signal);
    await expect(sending).rejects.toThrow(/key/);
    expect(server.hits.filter(({ headers }) => headers['webhook-id'] === post.id)).toEqual([]);
  });

  it('are rotated at most nine times a day, and once under one Idempotency-Key (IDEM-11)', async () => {
    const { id } = await stage.endpoint(server.url, ['payment.*']);
    const rotate = (key: string) =>
      stage.send({
        method: 'POST',
        url: `${PATH}/${id}/rotate_secret`,
        headers: { 'idempotency-key': `${id}-${key}` },
      });
    const [one, again] = [await rotate('0'), await rotate('0')];
    // No secret is stored with an idempotency key.
    const secret_notice = expect.stringMatching(/first response/) as string;
    expect(again.body).toEqual({ ...one.body, secret: null, secret_notice });
    const statuses: number[] = [];
    for (let time = 1; time <= 9; time += 1) statuses.push((await rotate(String(time))).status);
    expect(statuses).toEqual([...Array<number>(8).fill(200), 409]);
  });
});
