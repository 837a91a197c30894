import { newId, personErased, personRows, SERVICES, type PersonIds } from '@fundrail/contracts';
import { definitions } from '@fundrail/standalone';
import type { PersonalTable, ServiceDefinition } from '@fundrail/service-kit';
import { migrate } from '@fundrail/service-kit/db';
import type { ServiceTransport } from '@fundrail/service-kit/http';
import { FakeClock, ServiceStage, startService } from '@fundrail/testing';
import { STAYING, STAYING_EVERYWHERE } from './testing/privacy/staying-columns.ts';
import { ServiceDatabase } from './testing/service-database.ts';

/** The columns that can hold a name, an address or a number of a person: texts, JSON and days. Partitions are their table's. */
const COLUMNS = `
  SELECT c.relname::text AS table, array_agg(a.attname::text ORDER BY a.attname) AS columns
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
     AND a.attnum > 0 AND NOT a.attisdropped AND c.relname <> 'migrations'
     AND a.atttypid IN ('text'::regtype, 'jsonb'::regtype, 'date'::regtype, 'inet'::regtype, 'text[]'::regtype)
   GROUP BY c.relname ORDER BY c.relname`;

/** What identity's own erasure overwrites (`own-personal-data.ts`), and whole rows that it removes. */
const OF_IDENTITY: Readonly<Record<string, readonly string[] | 'removed'>> = {
  investor_profiles: ['date_of_birth', 'email', 'mobile_isd_code', 'mobile_number', 'name', 'pan'],
  bank_accounts: ['account_number_encrypted', 'account_number_hash', 'primary_account_holder_name'],
  mf_investment_accounts: [
    ...['communication_email_address', 'communication_mobile_number', 'further_defaults'],
  ],
  profile_details: 'removed',
};

/** The kit's own tables: events on their way. */
const EVENTS = { outbox: 'removed', parked_events: 'removed' } as const;

function erasedIn({
  name,
  personal = [],
}: ServiceDefinition): Readonly<Record<string, readonly string[] | 'removed'>> {
  // Identity publishes and receives no events.
  if (name === 'identity') return { ...OF_IDENTITY, ...EVENTS };
  const columnsOf = ({ erased }: PersonalTable) => (erased === 'removed' ? erased : Object.keys(erased));
  return { ...EVENTS, ...Object.fromEntries(personal.map((table) => [table.table, columnsOf(table)])) };
}

const UNKNOWN: PersonIds = {
  ...{ tenant: 'demo', investor_profile: newId('investorProfile') },
  ...{ mf_investment_accounts: [newId('investmentAccount')], bank_accounts: [7], subjects: ['payment:7'] },
};

describe('personal columns (INV-19)', () => {
  let database: ServiceDatabase;
  beforeEach(async () => {
    database = await ServiceDatabase.empty();
  });
  afterEach(() => database.drop());

  // The simulator plays the outside in the sandbox, and goes with it.
  const services = definitions(true).filter(({ name }) => name !== 'simulator');

  it('are declared for every service', () => {
    expect(services.map(({ name }) => name).sort()).toEqual(
      SERVICES.filter((name) => name !== 'simulator').sort(),
    );
  });

  it.each(services.map((service) => [service.name, service] as const))(
    'of %s: each column that could be one is either overwritten or known to say nothing about a person',
    async (name, service) => {
      await migrate(service, database.url);
      const found = await database.rows<{ table: string; columns: string[] }>(COLUMNS);
      const erased = erasedIn(service);
      const rest = found.flatMap(({ table, columns }) => {
        const gone = erased[table] ?? [];
        const left = gone === 'removed' ? [] : columns.filter((column) => !gone.includes(column));
        return left.length === 0 ? [] : [[table, left.join(' ')] as const];
      });
      expect(Object.fromEntries(rest)).toEqual({ ...STAYING_EVERYWHERE, ...STAYING[name] });
      const known = new Map(found.map(({ table, columns }) => [table, columns]));
      for (const [table, gone] of Object.entries(erased)) {
        expect([table, known.has(table)]).toEqual([table, true]);
        if (gone !== 'removed') expect(known.get(table)).toEqual(expect.arrayContaining([...gone]));
      }
    },
  );

  it.each(services.filter(({ personal }) => personal).map((service) => [service.name, service] as const))(
    'of %s: every statement of the declarations runs, and finds nothing of an unknown person',
    async (_, service) => {
      const stage = new ServiceStage(
        await startService(service, { clock: new FakeClock(), transport: ALONE }),
      );
      const ask = async (what: string) =>
        (await stage.asService<object>('identity', `/internal/personal_data/${what}`, UNKNOWN)).body;
      try {
        const nothing = { live: false, last_processed_at: null, last_ordered_at: null, subjects: [] };
        expect(await ask('standing')).toEqual(nothing);
        const { tables } = personRows.parse(await ask('export'));
        expect(Object.values(tables).flat()).toEqual([]);
        const { erased } = personErased.parse(await ask('erasure'));
        expect(erased?.filter(({ rows }) => rows > 0)).toEqual([]);
        expect(erased?.map(({ table }) => table)).toEqual(
          expect.arrayContaining(['outbox', 'parked_events']),
        );
      } finally {
        await stage.stop();
      }
    },
  );
});

const ALONE: ServiceTransport = {
  request: () => Promise.reject(new Error('there is no other service')),
  close: () => Promise.resolve(),
};
