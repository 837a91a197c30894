import { definitions } from '@fundrail/standalone';
import { migrate, missingMigrations } from '@fundrail/service-kit/db';
import type { MigrationClass, ServiceDefinition } from '@fundrail/service-kit/db';
import type { MigrationInterface } from 'typeorm';
import { ServiceDatabase, type Columns } from './testing/service-database.ts';

/** The rows that the first migrations insert, without the time of the insertion and what a demo changes. */
const SEEDS: Columns = new Map([
  ['holiday_copies', ['year', 'days']],
  ['holiday_years', ['year', 'source']],
  ['holidays', ['day', 'year']],
  ['business_calendar', ['day', 'moved', 'generate_at']],
  ['business_clock', ['one']],
  ['reconciliation_run', ['one', 'days', 'settle_ms', 'accept_lost_money']],
]);

/** How money is asked for, which `Collections1900000000080` moves to tables of its own. */
const COLLECTED = [
  ...[
    'upi_type',
    'upi_vpa',
    'upi_uri',
    'payment_postback_url',
    'failed_reason',
    'expires_at',
    'uri_requested_at',
  ],
  ...['ending', 'provider_closed_at', 'collect_sent_at', 'checkout_order_id', 'checkout_customer_id'],
  ...['mandate_fact', 'token_expires_at', 'token_used_at', 'page_session_hash', 'sdk_options_offered'],
  ...['bank_code', 'mf_investment_account'],
];

/**
 * What later migrations change on purpose: `NationalHolidays1700001020004` computes the calendar again, `KeysByWallTime1700001070001`
 * corrects times of keys, and `RecountedExpiries1900000000051` and `RecountedDebits1900000000052` add due work.
 */
const CHANGED: Columns = new Map([
  ['business_calendar', ['moved', 'generate_at']],
  ['idempotency_keys', ['created_at']],
  ['payments', COLLECTED],
]);
const DUE_WORK = 'SELECT * FROM due_work ORDER BY kind, key';
/** What `UnchangedWork1700001080003` adds to each row. */
const DUE_SINCE = { unchanged: false };

/** The columns that no later migration changes. */
const keptOf = (columns: Columns): Columns =>
  new Map(
    [...columns]
      .filter(([table]) => table !== 'due_work')
      .map(([table, all]) => [table, all.filter((column) => !CHANGED.get(table)?.includes(column))]),
  );

const baselinesOf = ({ migrations }: ServiceDefinition) =>
  migrations.filter(({ replaces }) => replaces !== undefined);
/** Release 0.1 had those whose own baseline replaces a migration of it. */
const services = definitions(true)
  .filter((service) => baselinesOf(service).every(({ replaces = [] }) => replaces.length > 0))
  .map((service) => [service.name, service] as const);
const namesOf = (migrations: readonly MigrationClass[]) => migrations.map(({ name }) => name);
const replacedBy = (service: ServiceDefinition) =>
  baselinesOf(service).flatMap(({ replaces = [] }) => replaces);

/** A migrator that ends here has recorded the baselines and run no later migration. */
class Crash1700001005000 implements MigrationInterface {
  up(): Promise<void> {
    return Promise.reject(new Error('the migrator died'));
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

describe.each(services)('the database of %s of release 0.1', (name, service) => {
  let old: ServiceDatabase;
  let made: ServiceDatabase[];
  /** A new database, dropped after the test. */
  const empty = async () => {
    const database = await ServiceDatabase.empty();
    made.push(database);
    return database;
  };
  beforeEach(async () => {
    old = await ServiceDatabase.ofRelease(name);
    made = [old];
  });
  afterEach(() => Promise.all(made.map((database) => database.drop())));

  it('has the schema of the baselines, and their migrations', async () => {
    const fresh = await empty();
    await migrate({ name, migrations: baselinesOf(service) }, fresh.url);
    expect(await fresh.catalog()).toEqual(await old.catalog());
    expect((await old.recorded()).sort()).toEqual(replacedBy(service).sort());
  });

  it('gets the schema and the seed of a new database, and loses no row', async () => {
    const fresh = await empty();
    const columns = await old.columns();
    const kept = keptOf(columns);
    const [before, due] = [await old.contents(kept), await old.rows(DUE_WORK)];
    await Promise.all([migrate(service, old.url), migrate(service, fresh.url)]);
    expect(await old.catalog()).toEqual(await fresh.catalog());
    expect(await old.contents(kept)).toEqual(before);
    const after = due.map((row) => ({ ...row, ...DUE_SINCE }));
    expect(await old.rows(DUE_WORK)).toEqual(expect.arrayContaining(after));
    const seeds = new Map([...SEEDS].filter(([table]) => columns.has(table)));
    expect(await old.contents(seeds)).toEqual(await fresh.contents(seeds));
  });

  it('records the baselines instead of running them, and then each later migration once', async () => {
    const before = await old.recorded();
    await migrate(service, old.url);
    await migrate(service, old.url);
    const later = service.migrations.filter(({ replaces }) => replaces === undefined);
    const added = (await old.recorded()).slice(before.length);
    expect(added.slice(0, 2).sort()).toEqual(namesOf(baselinesOf(service)).sort());
    expect(added.slice(2).sort()).toEqual(namesOf(later).sort());
    expect(await missingMigrations(service, old.url)).toEqual([]);
  });

  it('is accepted with later migrations of an unreleased build, which had run after those that the baselines replace', async () => {
    await migrate(service, old.url);
    await old.rows('DELETE FROM migrations WHERE name = ANY ($1)', [namesOf(baselinesOf(service))]);
    const before = [await old.catalog(), await old.recorded()] as const;
    await migrate(service, old.url);
    expect(await old.catalog()).toEqual(before[0]);
    expect((await old.recorded()).slice(before[1].length).sort()).toEqual(
      namesOf(baselinesOf(service)).sort(),
    );
  });

  it('is migrated once by two migrators at the same time', async () => {
    const before = await old.recorded();
    await Promise.all([migrate(service, old.url), migrate(service, old.url)]);
    expect((await old.recorded()).sort()).toEqual([...before, ...namesOf(service.migrations)].sort());
  });

  it('continues after a migrator that died when it had recorded the baselines', async () => {
    const before = await old.recorded();
    const dying = { name, migrations: [...service.migrations, Crash1700001005000] };
    await expect(migrate(dying, old.url)).rejects.toThrow('the migrator died');
    expect((await old.recorded()).slice(before.length).sort()).toEqual(namesOf(baselinesOf(service)).sort());
    await migrate(service, old.url);
    expect((await old.recorded()).sort()).toEqual([...before, ...namesOf(service.migrations)].sort());
  });

  it.each(baselinesOf(service).map((baseline) => [baseline.name, baseline] as const))(
    'is refused and left as it is when a migration before %s has not run',
    async (_, { replaces = [] }) => {
      const missing = replaces.at(-1) ?? '';
      await old.rows('DELETE FROM migrations WHERE name = $1', [missing]);
      const all = await old.columns();
      const before = [await old.catalog(), await old.contents(all), await old.recorded()];
      await expect(migrate(service, old.url)).rejects.toThrow(
        `this database has run only a part of the migrations of release 0.1: upgrade it to release 0.1 first, then to this one (not run: ${missing})`,
      );
      expect([await old.catalog(), await old.contents(all), await old.recorded()]).toEqual(before);
    },
  );
});
