import { istTimestamp, stringifyJson } from '@fundrail/contracts';
import { park, parkBehind } from '@fundrail/messaging';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { notesService } from '../testing/notes.service.ts';
import { eventsCommand } from './events-command.ts';

const USAGE = 'usage: main.js events parked | replay all | replay EVENT_ID… | discard EVENT_ID…';

function event(sequence: number) {
  const object = { object: 'notification_webhook', id: 'nwh_1', url: 'https://x.example', status: 'enabled' };
  return {
    id: `evt_${sequence}`,
    type: 'notification_webhook.test' as const,
    version: 1,
    tenant: 'demo',
    aggregate_id: 'nwh_1',
    sequence,
    occurred_at: istTimestamp(new Date()),
    data: stringifyJson({ object, previous_attributes: null }),
    traceparent: null,
  };
}

describe('main.js events', () => {
  let test: TestDatabase;
  let database: Database;
  beforeEach(async () => {
    test = await createTestDatabase(notesService);
    database = await openDatabase(notesService, new Clock(), { url: test.url, poolSize: 1, sandbox: true });
    await database.transaction(async (tx) => {
      await park(tx, 'orders', event(1), { error: new Error('no such order'), tries: 5 });
      await parkBehind(tx, 'orders', event(2));
    });
  });
  afterEach(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  const run = (...args: string[]) => eventsCommand(notesService, args, { ORDERS_DATABASE_URL: test.url });
  const states = () =>
    database.dataSource.query<{ event_id: string; status: string; waits: boolean }[]>(
      'SELECT event_id, status, replayed_at IS NULL AS waits FROM parked_events ORDER BY sequence',
    );

  it('lists what is parked, in the order in which it would run, with the database of the service', async () => {
    expect(await run('parked')).toEqual({
      code: 0,
      line: [
        'orders  evt_1  notification_webhook.test  nwh_1#1  failed  5 tries  Error: no such order',
        'orders  evt_2  notification_webhook.test  nwh_1#2  behind  0 tries  ',
      ].join('\n'),
    });
  });

  it.each([['all'], ['evt_2']])('has the failed events run again: %s', async (which) => {
    expect(await run('replay', which)).toEqual({ code: 0, line: '1 events of orders will run again' });
    expect(await states()).toEqual([
      { event_id: 'evt_1', status: 'replay', waits: true },
      { event_id: 'evt_2', status: 'behind', waits: true },
    ]);
  });

  it('gives up one event, and no other', async () => {
    const line = '1 of 2 events of orders are given up; only failed ones can be';
    expect(await run('discard', 'evt_1', 'evt_2')).toEqual({ code: 1, line });
    expect((await states()).map(({ waits }) => waits)).toEqual([false, true]);
    expect((await run('parked')).line).toContain('evt_2');
  });

  it('fails when an event that is named is not parked', async () => {
    expect(await run('replay', 'evt_9')).toEqual({ code: 1, line: '0 events of orders will run again' });
    expect((await run('discard', 'evt_9')).code).toBe(1);
    expect((await run('discard', 'evt_1')).code).toBe(0);
  });

  it('reports that nothing is parked', async () => {
    await database.dataSource.query('DELETE FROM parked_events');
    expect(await run('parked')).toEqual({ code: 0, line: 'orders  nothing is parked' });
    expect((await run('replay', 'all')).code).toBe(0);
  });

  it.each([[[]], [['replay']], [['discard']], [['parked', 'all']], [['forget', 'evt_1']]])(
    'does not guess what %j means',
    async (args) => {
      expect(await run(...args)).toEqual({ code: 2, line: USAGE });
      expect((await states()).map(({ status, waits }) => [status, waits])).toEqual([
        ['failed', true],
        ['behind', true],
      ]);
    },
  );
});
