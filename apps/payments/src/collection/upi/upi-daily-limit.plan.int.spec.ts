import { istInstant } from '@fundrail/contracts';
import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { paymentsService } from '../../index.ts';
import { paidByUpi } from '../collection.repository.ts';

const [DAYS, A_DAY, LIVE] = [30, 100, 5];
const FIRST = istInstant('2026-12-01').toISOString();

/** 100 paid UPI payments of one account a day, as many failed ones, and a few live ones at the end. */
const FILL = `
  INSERT INTO payments (id, tenant, payment_type, status, amount, debit_date, method, from_bank_account_id, provider_name,
    created_at, debit_confirmed_at, failed_at, failure_code,
    received_amount, event_seq)
  SELECT n, 'demo', 'NETBANKING', status, 100, '2026-12-21', 'UPI', 7, 'GATEWAYPOA', at,
    CASE status WHEN 'SUCCESS' THEN at END, CASE status WHEN 'FAILED' THEN at END,
    CASE status WHEN 'FAILED' THEN 'payment_expired' END, CASE status WHEN 'SUCCESS' THEN 100 ELSE 0 END, 1
  FROM generate_series(1, ${2 * DAYS * A_DAY}) AS n,
    LATERAL (SELECT '${FIRST}'::timestamptz + n * interval '86400 s' / ${2 * A_DAY} AS at,
      CASE WHEN n > ${2 * DAYS * A_DAY - LIVE} THEN 'PENDING' WHEN n % 2 = 0 THEN 'SUCCESS' ELSE 'FAILED' END AS status) AS made`;

describe.each([
  ['planned when the table was empty', 'SELECT'],
  ['planned by its statistics', 'VACUUM ANALYZE payments'],
])('the UPI payments of an account in 24 hours (FLOW-14), %s', (_, statement) => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;
  beforeAll(async () => {
    database = await createTestDatabase(paymentsService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    await look();
    await client.query(FILL);
    await client.query(statement);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const look = async () => {
    const asked = { tenant: 'demo', from_bank_account_id: 7, id: 0 };
    // An explained statement returns no row.
    const counted = { paid_since: istInstant('2026-12-30'), shown_since: istInstant('2026-12-30') };
    await expect(paidByUpi(explaining, asked, counted)).rejects.toThrow('a sum has a row');
  };

  it('are read by their index, without those of earlier days and the failed ones', async () => {
    await look();
    const { rows, by } = explaining.looked('payments');
    expect(by).toEqual(['payments_upi_of_account']);
    expect(rows).toBeGreaterThan(A_DAY - LIVE);
    expect(rows).toBeLessThanOrEqual(A_DAY + LIVE);
  });
});
