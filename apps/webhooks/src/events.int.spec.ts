import type { EventType } from '@fundrail/contracts';
import { readFileSync } from 'node:fs';
import { WebhooksStage } from './testing/webhooks-stage.ts';

/** Examples of each type. */
const GOLDEN = new URL('../../../libs/contracts/src/events/golden', import.meta.url).pathname;

describe('events', () => {
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
  });
  afterAll(() => stage.end());

  it('are listed newest first, by type, object and time (EVT-7, CONV-20)', async () => {
    // given
    const one = await stage.publish({ aggregate_id: 'A', occurred_at: '2026-11-20T23:30:00.000+05:30' });
    const two = await stage.publish({ aggregate_id: 'B', occurred_at: '2026-11-21T00:30:00.000+05:30' });
    const ids = async (query: string) => {
      const { body } = await stage.send({ url: `/v2/events?${query}` });
      return (body['data'] as { id: string }[]).map(({ id }) => id);
    };
    // then
    expect(await ids('')).toEqual([two.id, one.id]);
    expect(await ids('object_id=A')).toEqual([one.id]);
    expect(await ids('type=notification_webhook.*')).toHaveLength(2);
    expect(await ids('type=payment.failed')).toEqual([]);
    expect(await ids('from=2026-11-20&to=2026-11-20')).toEqual([one.id]);
    expect(await ids(`from=${encodeURIComponent('2026-11-21T00:00:00+05:30')}`)).toEqual([two.id]);
  });

  it('of a payment and of a mandate with the same number are distinguished, and a plan is found by both spellings (EVT-7, CONV-5)', async () => {
    // given
    const plan = 'mfr_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';
    const about = (type: EventType, aggregate_id: string) =>
      stage.publish({ type, aggregate_id, data: readFileSync(`${GOLDEN}/${type}.json`, 'utf8') });
    const paid = await about('payment.success', '1001');
    const approved = await about('mandate.approved', '1001');
    const made = await about('mf_redemption_plan.created', plan);
    const { id: webhook } = await stage.endpoint('http://127.0.0.1:9/hook');
    await about('payment.success', '1002');
    await about('mandate.approved', '1002');
    const ask = async (path: string) => (await stage.send({ url: path })).body;
    const ids = async (query: string) =>
      ((await ask(`/v2/events?${query}`))['data'] as { id: string }[]).map(({ id }) => id);
    // then
    expect(await ids('object_id=1001&object_type=payment')).toEqual([paid.id]);
    expect(await ids('object_id=1001&object_type=mandate')).toEqual([approved.id]);
    expect(await ids('object_id=1001&object_type=mandate&type=payment.*')).toEqual([]);
    expect(await ids('object_type=mandate')).toContain(approved.id);
    expect(await ids(`object_id=${plan}`)).toEqual([made.id]);
    expect(await ids(`object_id=${plan.replace('mfr_', 'mfrp_')}`)).toEqual([made.id]);
    for (const path of ['/v2/events', `/v2/notification_webhooks/${webhook}/deliveries`])
      expect(await ask(`${path}?object_id=1001`)).toMatchObject({
        error: { status: 400, errors: [{ field: 'object_id' }] },
      });
    const sent = await ask(
      `/v2/notification_webhooks/${webhook}/deliveries?object_id=1002&object_type=mandate`,
    );
    expect(sent['data']).toMatchObject([{ type: 'mandate.approved' }]);
  });

  it('and everything else here are in the OpenAPI document', () => {
    const { paths, components } = stage.service.document;
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['/v2/events/{id}', '/v2/notification_webhooks/{id}/deliveries']),
    );
    expect(components?.schemas).toMatchObject({
      CreateNotificationWebhook: { properties: { url: { type: 'string' } } },
      WebhookDelivery: {},
    });
  });

  it('are no longer returned after 30 days of wall time (EVT-7, CONV-32)', async () => {
    const event = await stage.publish();
    await stage.service.database.manager.query(
      `UPDATE events SET stored_at = now() - interval '31 days' WHERE id = $1`,
      [event.id],
    );
    expect((await stage.send({ url: `/v2/events/${event.id}` })).status).toBe(404);
  });
});
