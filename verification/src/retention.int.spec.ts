import { definitions } from '@fundrail/standalone';
import { firstIdAt } from '@fundrail/contracts';
import { InProcessBus } from '@fundrail/messaging';
import { bootstrap, Log, type RunningService, type ServiceDefinition } from '@fundrail/service-kit';
import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { BOUNDS, COMMON_BOUNDS } from '../../tools/docs/bounds.ts';
import { addAgedRow, tablesWith, type RowValues } from './testing/aged-row.ts';

/** Tables and partitioned tables. A partition counts as part of its table, except the default partition. */
const TABLES = `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND (NOT c.relispartition OR pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
  ORDER BY relname`;

/**
 * Tables whose rows are deleted by another rule than their age, or by another process's clock, and the test that checks it.
 */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  outbox: 'libs/messaging/src/outbox-cleanup.int.spec.ts',
  due_work: 'libs/service-kit/src/due/due-worker.int.spec.ts',
  signing_keys: 'verification/src/key-rotation.int.spec.ts',
};

const LABELS = { old: 'aged-old', young: 'aged-young', held: 'aged-held' } as const;
/** Of the tables that others move their facts to: a moved row keeps its own label, and is young there. */
const PAST = { old: 'past-old', young: 'past-young', held: 'past-held' } as const;
const isPast = (table: string) => table.startsWith('past_');
type Age = keyof typeof LABELS;
/** A row is a twentieth older or younger than its bound. */
const SHARE = { old: 1.05, young: 0.95, held: 1.05 } as const;
/** More than the day whose partition the migration of webhooks has created, plus the 30 days that it is kept. */
const DAYS_LATER = 40;
const LATER_MS = DAYS_LATER * 86_400_000;

/** The further values of a row whose work has ended. */
const ENDED: Readonly<Record<string, (at: Date, age: Age) => RowValues>> = {
  // The request that holds an old key is still running.
  idempotency_keys: (_at, age) =>
    age === 'held' ? { held_until: new Date(Date.now() + LATER_MS) } : { status: 200 },
  parked_events: (at) => ({ status: 'failed', replayed_at: at }),
  events: (at) => ({ id: `${firstIdAt('event', at)}0` }),
  webhook_deliveries: (at) => ({ id: `${firstIdAt('webhookDelivery', at)}0`, status: 'delivered' }),
  webhook_replays: (at) => ({
    ...{ id: `${firstIdAt('webhookReplay', at)}0`, status: 'completed', completed_at: at },
  }),
  // The old one lies in the partition that the migration has created, which is dropped as a whole.
  delivery_attempts: (at, age) => ({ stored_at: age === 'old' ? new Date() : at }),
  // The young one is of the last two runs, the old one of the run before.
  reconciliation_findings: (_at, age) => ({ run: age === 'old' ? 1 : 2, state: 'open' }),
};

describe.each(definitions(false).map((definition) => [definition.name, definition] as const))(
  'the tables of %s',
  (name, definition) => {
    const bounds = { ...COMMON_BOUNDS, ...BOUNDS[name] };
    const swept = Object.keys(bounds)
      .filter((table) => bounds[table]?.kind === 'goes' && !(table in TESTED_ELSEWHERE))
      .sort();
    let database: TestDatabase;
    let client: pg.Client;
    beforeAll(async () => {
      database = await createTestDatabase(definition);
      client = new pg.Client({ connectionString: database.url });
      await client.connect();
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    it('each have a stated bound, and every bound has a table', async () => {
      const { rows } = await client.query<{ name: string }>(TABLES);
      expect(rows.map((row) => row.name)).toEqual(Object.keys(bounds).sort());
    });

    it('lose the rows that are older than their bound, and keep the younger ones', async () => {
      const clock = new FakeClock(new Date(Date.now() + LATER_MS));
      for (const table of swept)
        for (const age of ['old', 'young'] as const) await add(table, age, clock.now());
      await add('idempotency_keys', 'held', clock.now());
      await client.query('UPDATE reconciliation_run SET run = 2, due_at = now()');
      const left = async (age: Age) => {
        const [past, current] = [swept.filter(isPast), swept.filter((table) => !isPast(table))];
        const found = [
          await tablesWith(client, current, LABELS[age]),
          await tablesWith(client, past, PAST[age]),
        ];
        return found.flat().sort();
      };
      const youngBefore = await left('young');
      expect(await left('old')).toEqual(swept);

      const service = await start(definition, database, clock);
      try {
        await waitFor(
          async () => {
            // A step of housekeeping may wait for the clock before the next one.
            clock.advance(100);
            return (await left('old')).length === 0;
          },
          { limitMs: 60_000 },
          // The assertion below reports what stayed.
        ).catch(() => undefined);
        expect([await left('old'), await left('young')]).toEqual([[], youngBefore]);
        expect(await left('held')).toEqual(['idempotency_keys']);
      } finally {
        await service.stop();
      }
    });

    async function add(table: string, age: Age, now: Date): Promise<void> {
      const { keptMs } = bounds[table] ?? {};
      // The inbox is written and deleted by the database's clock.
      const from = table === 'inbox' ? Date.now() : now.getTime();
      const at = new Date(from - (keptMs ?? 0) * SHARE[age]);
      const isYoungKept = keptMs !== undefined || table === 'reconciliation_findings';
      if (age === 'young' && !isYoungKept) return;
      const label = (isPast(table) ? PAST : LABELS)[age];
      await addAgedRow(client, table, { label, at, values: ENDED[table]?.(at, age) ?? {} });
    }
  },
);

function start(
  definition: ServiceDefinition,
  { url }: TestDatabase,
  clock: FakeClock,
): Promise<RunningService> {
  const env = {
    SANDBOX: 'true',
    GATEWAYPOA_BASE_URL: 'http://127.0.0.1:9',
    [`${definition.name.toUpperCase()}_DATABASE_URL`]: url,
  };
  const bus = new InProcessBus({ groups: [definition.name] });
  const log = Log.to(definition.name, 'silent');
  return bootstrap(definition, { env, clock, bus, log, listen: false });
}
