import { WebhooksStage } from './testing/webhooks-stage.ts';

describe('events', () => {
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
  });
  afterAll(() => stage.end());

  it('are listed newest first, by type, object and time', async () => {
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

  it('are forgotten after 30 days of the wall clock', async () => {
    const event = await stage.publish();
    await stage.service.database.manager.query(
      `UPDATE events SET stored_at = now() - interval '31 days' WHERE id = $1`,
      [event.id],
    );
    expect((await stage.send({ url: `/v2/events/${event.id}` })).status).toBe(404);
  });
});
