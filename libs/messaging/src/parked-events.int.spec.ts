import { takeFromInbox } from './inbox.ts';
import { listParked, park } from './parked-events.ts';
import { Stage } from './testing/bus-stage.ts';
import { aggregateId, noticeEnvelope } from './testing/notices.ts';

describe('parking', () => {
  let stage: Stage;
  beforeAll(async () => (stage = await Stage.open()));
  afterAll(() => stage.close());

  it('does not park an event that has had its effect: another member has handled it', async () => {
    const [done, failed] = [noticeEnvelope(aggregateId()), noticeEnvelope(aggregateId())];
    await stage.db.transaction((tx) => takeFromInbox(tx, 'group', done.id));

    for (const event of [done, failed])
      await stage.db.transaction((tx) =>
        park(tx, 'group', event, { error: new Error('the last try'), tries: 5 }),
      );

    expect((await listParked(stage.db)).map(({ event_id }) => event_id)).toEqual([failed.id]);
  });
});
