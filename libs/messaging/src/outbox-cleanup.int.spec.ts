import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { sql } from '@fundrail/persistence';
import { OutboxCleanup } from './outbox-cleanup.ts';
import { eventually } from './testing/bus-stage.ts';
import { aggregateId } from './testing/notices.ts';
import { execute } from './testing/pg-transactions.ts';
import { RecordingBus } from './testing/recording-bus.ts';
import { RelayStage } from './testing/relay-stage.ts';

const ROWS = sql('test.rows', 'SELECT event_id FROM outbox ORDER BY id');

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('old rows of the outbox', () => {
  let stage: RelayStage;
  let client: Client;
  beforeAll(() => {
    Logger.overrideLogger(false);
  });
  beforeEach(async () => {
    stage = await RelayStage.open();
    client = await stage.db.connect();
  });
  afterEach(async () => {
    await client.end();
    await stage.close();
  });

  it('are deleted seven days after publication, and no others are', async () => {
    await stage.append(aggregateId(), 1, 2, 3);
    await execute(
      stage.db,
      `UPDATE outbox SET created_at = now() - interval '9 days';
       UPDATE outbox SET published_at = now() - interval '8 days' WHERE sequence = 1;
       UPDATE outbox SET published_at = now() - interval '6 days' WHERE sequence = 2;`,
    );
    const forgetting = new OutboxCleanup(client);
    expect(await forgetting.turn(0)).toBe(false);

    expect(await stage.db.query(ROWS)).toHaveLength(2);
    expect(await stage.unpublished()).toEqual([3]);
  });

  it('are all deleted, even behind an event that cannot be published, and publishing continues meanwhile', async () => {
    const [stuck, other, fresh] = [aggregateId(), aggregateId(), aggregateId()];
    // More than a page, so that a search from the beginning would find nothing to delete.
    await stage.append(stuck, ...upTo(1_100));
    await stage.append(other, ...upTo(1_500));
    await execute(
      stage.db,
      `UPDATE outbox SET created_at = now() - interval '9 days';
       UPDATE outbox SET published_at = now() - interval '8 days' WHERE aggregate_id = '${other}';`,
    );
    await stage.append(fresh, 1);
    const bus = new RecordingBus();
    bus.take = (event) => {
      if (event.aggregate_id === stuck) throw new Error('refused');
    };
    stage.start(bus);

    await eventually(async () => (await stage.db.query(ROWS)).length === 1_101, 'what is old to be gone');
    await eventually(
      async () => (await stage.unpublished()).length === 1_100,
      'the fresh one to be published',
    );
    expect(bus.sequences(fresh)).toEqual([1]);
  });

  it('are searched every hour, starting at the first row that was skipped', async () => {
    const forgetting = new OutboxCleanup(client);
    expect(await forgetting.turn(0)).toBe(false);
    await stage.append(aggregateId(), 1);
    await execute(
      stage.db,
      `UPDATE outbox SET created_at = now() - interval '9 days', published_at = now() - interval '8 days'`,
    );

    await forgetting.turn(3_599_999);
    expect(await stage.db.query(ROWS)).toHaveLength(1);
    await forgetting.turn(3_600_000);
    expect(await stage.db.query(ROWS)).toEqual([]);
  });
});
