import { parseJson, stringifyJson } from '@fundrail/contracts';
import { tenantToken, waitFor } from '@fundrail/testing';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { REPLAYS_DUE } from './replay/webhook-replay.repository.ts';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const ENDPOINTS = '/v2/notification_webhooks';
const GOLDEN = new URL('../../../libs/contracts/src/events/golden/', import.meta.url);

/** As the upstream's guide verifies: the parsed body is printed again, and the secret's text is the key (COMP-10). */
function acceptedByUpstream(
  hit: { readonly raw: string; readonly headers: Readonly<Record<string, string>> } | undefined,
  secret: string,
): boolean {
  const printed = JSON.stringify(JSON.parse(hit?.raw ?? ''));
  const expected = createHmac('sha256', secret).update(printed).digest('base64');
  return hit?.headers['fp-signature']?.split(':')[1] === expected;
}

describe('events for a client of the upstream interface (COMP-4)', () => {
  let server: EndpointServer;
  let stage: WebhooksStage;
  beforeAll(async () => {
    server = await EndpointServer.start();
    stage = await WebhooksStage.start();
  });
  afterAll(async () => {
    await stage.end();
    await server.stop();
  });

  const headers = () => ({
    authorization: tenantToken('demo', '', new Date(), { compatibility: 'upstream/ondc' }),
  });
  const golden = readFileSync(new URL('mandate.created.json', GOLDEN), 'utf8');
  const data = stringifyJson(parseJson(golden));

  it('come in its names to its endpoint, signed as sent, and as stored to the others of the tenant', async () => {
    const ours = await stage.endpoint(server.url);
    const { body } = await stage.send({
      url: ENDPOINTS,
      body: { url: server.url, events: ['*'] },
      headers: headers(),
    });
    const event = await stage.publish({ type: 'mandate.created', aggregate_id: '7003', data });
    await waitFor(() => server.hits.length === 2, { what: 'both endpoints to get the event' });
    const hitOf = (secret: string) =>
      server.hits.find(({ raw, headers: sent }) => {
        try {
          return new Webhook(secret).verify(raw, sent) !== null;
        } catch {
          return false;
        }
      });
    const stored = `{"id":"${event.id}","object":"event","type":"${event.type}","data":${data},"time":"${event.occurred_at}"}`;
    expect(hitOf(ours.secret)?.raw).toBe(stored);
    const theirs = hitOf(String(body['secret']));
    expect(theirs?.raw).toBe(JSON.stringify(JSON.parse(stored.replace('GATEWAYPOA', 'ONDC'))));
    expect(hitOf(ours.secret)?.headers['fp-signature']).toBeUndefined();
    expect(acceptedByUpstream(theirs, String(body['secret']))).toBe(true);
    const shown = async (sent = {}) =>
      (await stage.send({ url: `/v2/events/${event.id}`, headers: sent })).text;
    expect(await shown()).toBe(stored);
    expect(await shown(headers())).toBe(stored.replace('GATEWAYPOA', 'ONDC'));
    await stage.removeEndpoints();
  });

  it('keep the names of the endpoint at a retry, in a replay and after a rotation, with any token', async () => {
    server.hits.length = 0;
    const { body } = await stage.send({
      url: ENDPOINTS,
      body: { url: server.url, events: ['*'] },
      headers: headers(),
    });
    const url = `${ENDPOINTS}/${String(body['id'])}`;
    server.answers(500, 204);
    const event = await stage.publish({ type: 'mandate.created', aggregate_id: '7003', data });
    await waitFor(() => server.hits.length === 1, { what: 'the first attempt' });
    const rotated = await stage.send({ url: `${url}/rotate_secret`, method: 'POST' });
    expect(rotated.status).toBe(200);
    await waitFor(async () => {
      await stage.advance(60_000);
      return server.hits.length === 2;
    });
    const acceptedBy = (hit: number, secret: unknown) => acceptedByUpstream(server.hits[hit], String(secret));
    expect(acceptedBy(0, body['secret'])).toBe(true);
    expect([acceptedBy(1, body['secret']), acceptedBy(1, rotated.body['secret'])]).toEqual([false, true]);
    await stage.delivery({ id: String(body['id']) }, ({ status }) => status === 'delivered');
    const day = { from: event.occurred_at.slice(0, 10), to: event.occurred_at.slice(0, 10) };
    expect((await stage.send({ url: `${url}/replay`, body: day })).status).toBe(202);
    await waitFor(
      () => {
        stage.service.database.signal(REPLAYS_DUE);
        return server.hits.filter((hit) => hit.headers['webhook-id'] === event.id).length === 3;
      },
      { what: 'the replay' },
    );
    expect(server.hits[0]?.raw).toContain('"provider_name":"ONDC"');
    const bodies = server.hits.flatMap(({ raw, headers: sent }) =>
      sent['webhook-id'] === event.id ? [raw] : [],
    );
    expect([bodies.length, new Set(bodies).size]).toEqual([3, 1]);
    await stage.removeEndpoints();
  });

  it('may be chosen for an endpoint and changed later, also with a token that has others', async () => {
    const make = (change: object, sent = {}) =>
      stage.send({ url: ENDPOINTS, body: { url: server.url, events: ['*'], ...change }, headers: sent });
    const { text } = await make({});
    expect(text).not.toContain('compatibility');
    expect((await make({ compatibility: null }, headers())).text).not.toContain('compatibility');
    expect((await make({}, headers())).body).toMatchObject({ compatibility: 'upstream/ondc' });
    const { body } = await make({ compatibility: 'upstream' });
    expect(body).toMatchObject({ compatibility: 'upstream' });
    const url = `${ENDPOINTS}/${String(body['id'])}`;
    const put = (change: object) => stage.send({ method: 'PUT', url, body: change });
    expect((await put({ events: ['payment.*'] })).body).toMatchObject({ compatibility: 'upstream' });
    expect((await put({ compatibility: null })).text).not.toContain('compatibility');
    expect((await put({ compatibility: 'upstream/rta' })).body).toMatchObject({
      compatibility: 'upstream/rta',
    });
    expect((await put({ compatibility: 'other' })).status).toBe(400);
  });

  it('may be of types that we do not have: they are kept, with a warning for each (COMP-8)', async () => {
    const events = ['payment.*', 'kyc_request.created', 'mf_switch.*'];
    const warnings = [
      'kyc_request.created is not an event type here: no such event is sent.',
      'mf_switch.* is not an event type here: no such event is sent.',
    ];
    const body = { url: server.url, events };
    const made = await stage.send({ url: ENDPOINTS, body, headers: headers() });
    expect([made.status, made.body]).toEqual([200, expect.objectContaining({ events, warnings })]);
    const url = `${ENDPOINTS}/${String(made.body['id'])}`;
    expect((await stage.send({ url, headers: headers() })).body).toMatchObject({ events, warnings });
    const put = (change: object, sent = {}) =>
      stage.send({ method: 'PUT', url, body: change, headers: sent });
    const alone = (await put({ event: 'mf_switch.created' }, headers())).body;
    expect([alone['events'], alone['warnings']]).toEqual([
      ['mf_switch.created'],
      ['mf_switch.created is not an event type here: no such event is sent.'],
    ]);
    expect((await put({ events: ['payment.*'] }, headers())).text).not.toContain('warnings');
    for (const event of ['kyc', 'kyc..x', 'Kyc.x', 'x'.repeat(101)])
      expect([event, (await put({ event }, headers())).status]).toEqual([event, 400]);
    const refusal = expect.stringContaining(
      '"errors":[{"field":"events.1","message":"is not a known event type or pattern"}',
    );
    for (const { status, text } of [await stage.send({ url: ENDPOINTS, body }), await put({ events })])
      expect([status, text]).toEqual([400, refusal]);
    await stage.removeEndpoints();
  });
});
