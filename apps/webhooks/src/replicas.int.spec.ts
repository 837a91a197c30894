import { waitFor } from '@fundrail/testing';
import { EndpointServer } from './testing/endpoint-server.ts';
import { WebhooksStage } from './testing/webhooks-stage.ts';

describe('two replicas', () => {
  it('send each delivery once, in order', async () => {
    // given
    const stage = await WebhooksStage.start();
    await stage.replica();
    const server = await EndpointServer.start();
    const endpoint = await stage.endpoint(server.url);
    // when: 20 objects with 5 events each
    const objects = Array.from({ length: 20 }, (_, index) => `object-${index}`);
    await Promise.all(
      objects.map(async (aggregate_id) => {
        for (let sequence = 1; sequence <= 5; sequence += 1)
          await stage.publish({ aggregate_id, sequence, data: dataOf(aggregate_id, sequence) });
      }),
    );
    await waitFor(async () => (await stage.deliveries(endpoint, '?status=delivered')).length === 100, {
      limitMs: 60_000,
    });
    // then
    const ids = server.hits.map((hit) => hit.headers['webhook-id']);
    expect(new Set(ids).size).toBe(100);
    expect(ids).toHaveLength(100);
    const seen = Map.groupBy(
      server.hits.map((hit) => statusOf(hit.raw)),
      ([object]) => object,
    );
    for (const object of objects)
      expect(seen.get(object)?.map(([, sequence]) => sequence)).toEqual(['1', '2', '3', '4', '5']);
    await stage.end();
    await server.stop();
  });

  it('repeat the leased deliveries of a process that died, with the same id (HOOK-13)', async () => {
    // given: a delivery whose lease was left behind, as after kill -9 between send and record
    const stage = await WebhooksStage.start();
    const server = await EndpointServer.start();
    server.answers(500, 204);
    const endpoint = await stage.endpoint(server.url);
    const event = await stage.publish();
    await stage.delivery(endpoint, ({ attempts }) => attempts.length === 1);
    const { manager } = stage.service.database;
    await manager.query(
      `UPDATE webhook_deliveries SET lease_token = 'dead', leased_until = now() + interval '300 ms', due_at = now()`,
    );
    // then
    await stage.delivery(endpoint, ({ status }) => status === 'delivered');
    expect(server.hits.map((hit) => hit.headers['webhook-id'])).toEqual([event.id, event.id]);
    await stage.end();
    await server.stop();
  });
});

/** The notice's url carries the object's id and the sequence. */
function dataOf(object: string, sequence: number): string {
  const notice = {
    object: 'notification_webhook',
    id: object,
    url: `https://shop.example/${sequence}`,
    status: 'enabled',
  };
  return JSON.stringify({ object: notice, previous_attributes: null });
}

function statusOf(raw: string): [string, string] {
  const { data } = JSON.parse(raw) as { data: { object: { id: string; url: string } } };
  return [data.object.id, data.object.url.split('/').at(-1) ?? ''];
}
