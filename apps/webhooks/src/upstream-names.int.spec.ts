import { parseJson, stringifyJson } from '@fundrail/contracts';
import { tenantToken, waitFor } from '@fundrail/testing';
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

const ENDPOINTS = '/v2/notification_webhooks';
const GOLDEN = new URL('../../../libs/contracts/src/events/golden/', import.meta.url);

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
    expect(hitOf(String(body['secret']))?.raw).toBe(stored.replace('GATEWAYPOA', 'ONDC'));
    const shown = async (sent = {}) =>
      (await stage.send({ url: `/v2/events/${event.id}`, headers: sent })).text;
    expect(await shown()).toBe(stored);
    expect(await shown(headers())).toBe(stored.replace('GATEWAYPOA', 'ONDC'));
  });
});
