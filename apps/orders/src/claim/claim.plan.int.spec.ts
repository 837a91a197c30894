import { migrate, PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { ordersService } from '../index.ts';
import { leaseClaimChecks, markClaimsKnown } from './claim.repository.ts';

const ROWS = 2_000;
const DUE = 10;
const NOW = new Date('2026-12-21T04:30:00Z');
const LEASED = new Date('2026-12-21T04:31:00Z');
/** Each order is claimed by a payment of its own. The checks of the last ones are due; other replicas have leased as many. */
const FILL = `
  INSERT INTO mf_orders (old_id, id, tenant, kind, mf_investment_account, investor_profile, scheme, state, type, amount, gateway,
    consent, created_at, event_seq, claimed_by, payment_id, claimed_at, claim_check_at)
  SELECT n, 'mfp_' || n, 'demo', 'purchase', 'mfia_a', 'invp_a', 'INF209K01YN0', 'pending', 'fresh', 5000, 'gatewaypoa',
    '{}', now(), 3, 100000 + n, 100000 + n, now(),
    CASE WHEN n > ${ROWS - DUE} THEN timestamptz '${NOW.toISOString()}' WHEN n <= ${DUE} THEN '${LEASED.toISOString()}' END
  FROM generate_series(1, ${ROWS}) AS n`;

describe.each([
  ['for empty tables', 'SELECT'],
  ['by statistics', 'VACUUM ANALYZE mf_orders'],
])('claims to check, by plans made %s', (_, statement) => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;

  const lease = () => leaseClaimChecks(explaining, NOW, LEASED, DUE);
  const markKnown = () => markClaimsKnown(explaining, [100_001, 100_002], LEASED);

  beforeAll(async () => {
    database = await createTestDatabase();
    await migrate(ordersService, database.url);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    await lease();
    await markKnown();
    await client.query(FILL);
    await client.query(statement);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([
    ['those that are leased', lease, DUE],
    ['those of payments that exist', markKnown, 2],
  ])('are found without reading the others: %s', async (_name, run, due) => {
    await run();
    const { rows } = explaining.looked('mf_orders');
    expect(rows).toBeGreaterThanOrEqual(due);
    // Each is found, read by its key and returned; of two conditions one may read all that is leased.
    expect(rows).toBeLessThanOrEqual(due * 3 + DUE * 2);
  });
});
