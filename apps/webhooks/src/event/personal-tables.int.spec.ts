import { newId, type PersonErased, type PersonIds, type PersonStanding } from '@fundrail/contracts';
import { inject, serviceToken, waitFor } from '@fundrail/testing';
import { readFileSync } from 'node:fs';
import { EndpointServer } from '../testing/endpoint-server.ts';
import { WebhooksStage } from '../testing/webhooks-stage.ts';

const MARK = 'zqmark@upi';
const PAID = readFileSync(
  new URL('../../../../libs/contracts/src/events/golden/payment.success.json', import.meta.url),
  'utf8',
).replace('"vpa": null', `"vpa": "${MARK}"`);

describe('the personal data of webhooks (INV-19)', () => {
  let stage: WebhooksStage;
  let endpoint: EndpointServer;
  beforeAll(async () => {
    [stage, endpoint] = await Promise.all([WebhooksStage.start(), EndpointServer.start()]);
  });
  afterAll(async () => {
    await stage.end();
    await endpoint.stop();
  });

  const personOf = (...subjects: string[]): PersonIds => ({
    ...{ tenant: 'demo', investor_profile: newId('investorProfile') },
    ...{ mf_investment_accounts: [], bank_accounts: [], subjects },
  });
  async function ask<T>(what: string, body: PersonIds): Promise<T> {
    const url = `/internal/personal_data/${what}`;
    const headers = { authorization: serviceToken('identity') };
    return (await inject(stage.service, { method: 'POST', url, body, headers })).json<T>();
  }
  const counts = () =>
    stage.service.database.dataSource.query<object[]>(
      `SELECT (SELECT count(*)::int FROM events WHERE body LIKE $1) AS events,
              (SELECT count(*)::int FROM webhook_deliveries) AS deliveries,
              (SELECT count(*)::int FROM delivery_attempts WHERE response_body LIKE $1) AS attempts`,
      [`%${MARK}%`],
    );

  it('stays while a webhook is sent, and goes with the attempts and what endpoints answered; that of others stays', async () => {
    const { id } = await stage.endpoint(endpoint.url);
    const publish = (aggregate_id: string) =>
      stage.publish({ type: 'payment.success', aggregate_id, data: PAID });
    endpoint.answers(500);
    await publish('1001');
    expect(await ask<PersonStanding>('standing', personOf('payment:1001'))).toMatchObject({ live: true });
    expect(await ask('erasure', personOf('payment:1001'))).toEqual({ erased: null });

    // An endpoint may repeat what it was sent.
    endpoint.answer = ({ raw }, response) => void response.writeHead(200).end(raw);
    await stage.advance(60_000);
    await publish('1002');
    const areDelivered = async () =>
      (await stage.deliveries({ id })).every(({ status }) => status === 'delivered');
    await waitFor(areDelivered, { what: 'both webhooks to be delivered' });
    expect(await counts()).toEqual([{ events: 2, deliveries: 2, attempts: 2 }]);

    const none = await ask<PersonErased>('erasure', personOf('mandate:1001'));
    expect(none.erased?.filter(({ rows }) => rows > 0)).toEqual([]);
    const { erased } = await ask<PersonErased>('erasure', personOf('payment:1001'));
    expect(erased).toEqual(
      expect.arrayContaining([
        { table: 'webhook_deliveries', rows: 1 },
        { table: 'events', rows: 1 },
      ]),
    );
    expect(await counts()).toEqual([{ events: 1, deliveries: 1, attempts: 1 }]);
  });
});
