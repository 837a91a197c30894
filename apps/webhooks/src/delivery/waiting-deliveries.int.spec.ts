import { WebhooksStage } from '../testing/webhooks-stage.ts';
import { waitingDeliveries } from './waiting-deliveries.repository.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const before = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe('what waits at endpoints', () => {
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
    await stage.service.dueWorker.stop();
  });
  afterAll(() => stage.end());

  const rows = (text: string, ...values: readonly unknown[]) =>
    stage.service.database.dataSource.query<unknown[]>(text, [...values]);
  /** Deliveries of the one event that is stored, due a millisecond after each other. */
  const due = (webhook: string, count: number, since: Date) =>
    rows(
      `INSERT INTO webhook_deliveries (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
       SELECT $1 || '_' || n, e.tenant, $1, e.id, e.type, e.object_id, e.subject, n, 'pending',
              $3::timestamptz + n * interval '1 millisecond', $3
         FROM events e CROSS JOIN generate_series(0, $2::int - 1) n`,
      webhook,
      count,
      since,
    );

  it('given an endpoint that fails and has more than are counted, then those that are well are told of as before', async () => {
    await stage.publish();
    const failing = await stage.endpoint('http://127.0.0.1:1/failing');
    const well = await stage.endpoint('http://127.0.0.1:1/well');
    await rows('UPDATE notification_webhooks SET failing_since = $2 WHERE id = $1', failing.id, before(90));
    await due(failing.id, 10_500, before(80));
    await due(well.id, 2, before(30));
    await due((await stage.endpoint('http://127.0.0.1:1/slow')).id, 3, before(40));
    expect(await waitingDeliveries(stage.service.database, NOW, NOW)).toEqual({
      well: { waiting: 5, oldest: before(40) },
      failing: { waiting: 10_000, oldest: before(80) },
    });
  });

  it('given nothing that is due, then there is no oldest', async () => {
    expect(await waitingDeliveries(stage.service.database, before(100), NOW)).toEqual({
      well: { waiting: 0, oldest: null },
      failing: { waiting: 0, oldest: null },
    });
  });
});
