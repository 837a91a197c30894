import { migrate, PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { mandatesService } from '../index.ts';
import { leaseChecks, markKnown } from './payment-sweep.repository.ts';

const ROWS = 2_000;
const DUE = 10;
const NOW = new Date('2026-12-21T04:30:00Z');
const LEASED = new Date('2026-12-21T04:31:00Z');
/** When row `n` has to be checked: the last ones now, and other replicas have leased as many. */
const CHECK = `CASE WHEN n > ${ROWS - DUE} THEN timestamptz '${NOW.toISOString()}'
  WHEN n <= ${DUE} THEN '${LEASED.toISOString()}' END`;
/** Payment `n` authorises the mandate `n`, and payment 100000 + n debits it. */
const FILL = `
  INSERT INTO mandates (id, mandate_ref, tenant, bank_account_id, investor_profile, mandate_type, mandate_status, mandate_limit,
    valid_from, valid_to, provider_name, created_at, event_seq, authorising_payment, authorising_since, authorising_check_at)
  SELECT n, 'mnd_' || n, 'demo', 7, 'invp_a', 'UPI', 'RECEIVED', 1000, '2026-01-01', '2030-01-01', 'GATEWAYPOA', now(), 1,
    n, now(), ${CHECK}
  FROM generate_series(1, ${ROWS}) AS n;
  INSERT INTO mandate_debits (payment_id, mandate_id, tenant, old_id, amount, debit_date, state, admitted_at, check_at)
  SELECT 100000 + n, n, 'demo', n, 100, '2026-12-21', 'admitted', now(), ${CHECK}
  FROM generate_series(1, ${ROWS}) AS n`;

describe.each([
  ['for empty tables', 'SELECT'],
  ['by statistics', 'VACUUM ANALYZE mandates, mandate_debits'],
])('due checks of payments, by plans made %s', (_, statement) => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  const lease = (which: string) => leaseChecks(only(which), NOW, LEASED, DUE);
  const mark = (which: string) => markKnown(only(which), [1, 2, 100_001, 100_002], LEASED);
  /** Runs the statement of one of the two tables. */
  const only = (which: string): Pick<Explaining, 'query'> => ({
    query: (asked, values) =>
      asked.name.endsWith(which) ? explaining.query(asked, values) : Promise.resolve([]),
  });

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(mandatesService, database.url);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    await lease('');
    await mark('');
    await client.query(FILL);
    await client.query(statement);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['authorisations', 'mandates'],
    ['debits', 'mandate_debits'],
  ])('are leased and recorded without reading the others: %s', async (which, table) => {
    await lease(which);
    expect(explaining.looked(table).rows).toBe(DUE * 3);
    await mark(which);
    const { rows } = explaining.looked(table);
    expect(rows).toBeGreaterThanOrEqual(2);
    expect(rows).toBeLessThanOrEqual(2 * 2 + DUE * 2);
  });
});
