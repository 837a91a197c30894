import { istInstant, PAYMENT_STATUSES, PAYMENT_TYPES, type PaymentFilters } from '@fundrail/contracts';
import { PLAN_BY_INDEX } from '@fundrail/service-kit/db';
import { createTestDatabase, Explaining, type TestDatabase } from '@fundrail/testing';
import pg from 'pg';
import { collectionOf } from '../collection/collection.repository.ts';
import { paymentsService } from '../index.ts';
import { aPayment } from '../testing/payments.builder.ts';
import { findPage } from './payment-list.repository.ts';
import { findPayment, withChildren } from './payment.repository.ts';

const DAYS = 10;
const A_DAY = 1_000;
const SIZE = 20;

/** 1000 payments a day: half of them another tenant's, one in 100 REJECTED, one in 10 NACH; each pays its own order. */
const FILL = `
  INSERT INTO payments (id, tenant, payment_type, status, amount, debit_date, from_bank_account_id, provider_name,
    source_ref_id, created_at, event_seq, received_amount, mandate_id)
  SELECT n, CASE n % 2 WHEN 0 THEN 'demo' ELSE 'other' END, CASE n / 2 % 10 WHEN 0 THEN 'NACH' ELSE 'NETBANKING' END,
    CASE n / 2 % 100 WHEN 7 THEN 'REJECTED' ELSE 'SUCCESS' END, 100, '2026-12-21', 7, 'GATEWAYPOA',
    'ref-' || n, '${istInstant('2026-12-12').toISOString()}'::timestamptz + n * interval '86400 s' / ${A_DAY}, 1,
    100, CASE n / 2 % 10 WHEN 0 THEN 501 END
  FROM generate_series(0, ${DAYS * A_DAY - 1}) AS n;
  INSERT INTO payment_orders (payment_id, old_id, tenant, order_id, amount, live)
  SELECT id, id + 1000000, tenant, 'mfp_' || id, 100, true FROM payments;
  INSERT INTO order_states (old_id, tenant, order_id, state, sequence)
  SELECT old_id, tenant, order_id, 'submitted', 4 FROM payment_orders`;

describe.each([
  ['planned when the table was empty', 'SELECT'],
  ['vacuumed', 'VACUUM payments, payment_orders, payment_counts'],
  ['planned by its statistics', 'VACUUM ANALYZE payments, payment_orders, payment_counts'],
])('the list of payments, %s', (_, statement) => {
  let database: TestDatabase;
  let client: pg.Client;
  let explaining: Explaining;
  beforeAll(async () => {
    database = await createTestDatabase(paymentsService);
    client = new pg.Client({ connectionString: database.url, options: PLAN_BY_INDEX });
    await client.connect();
    explaining = new Explaining(client);
    for (const direction of ['desc', 'asc'] as const)
      for (const payment_type of [undefined, PAYMENT_TYPES[0]])
        for (const payment_status of [undefined, PAYMENT_STATUSES[0]])
          await page({
            ...{ direction },
            ...(payment_type && { payment_type }),
            ...(payment_status && { payment_status }),
          });
    await page({ source_ref_id: 'ref' });
    await findPayment(explaining, 'demo', 1);
    await withChildren(explaining, ['demo'], [aPayment()]);
    await collectionOf(explaining, aPayment({ payment_type: 'NACH' }));
    await client.query(FILL);
    await client.query(statement);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const page = (filters: PaymentFilters, number = 0) =>
    findPage(explaining, 'demo', { ...filters, page: number, size: SIZE });
  /** Each key that is read is a row of an index; the rows of the page are fetched. */
  const keysAndRows = (keys: number) => keys + SIZE;

  it.each<[string, PaymentFilters, string, number]>([
    ['without a filter', {}, 'payments_newest', SIZE],
    ['of days', { from: '2026-12-13', to: '2026-12-15' }, 'payments_newest', SIZE],
    ['of a type', { payment_type: 'NACH' }, 'payments_filtered', SIZE + PAYMENT_STATUSES.length],
    ['of a status', { payment_status: 'SUCCESS' }, 'payments_filtered', SIZE + PAYMENT_TYPES.length],
    // 5 a day: for each day of the page, one key more than needed is read for each type.
    [
      'of a rare status',
      { payment_status: 'REJECTED' },
      'payments_filtered',
      SIZE + 4 * PAYMENT_TYPES.length,
    ],
    ['of all, oldest first', { direction: 'asc' }, 'payments_newest', SIZE],
    [
      'of a status, oldest first',
      { payment_status: 'SUCCESS', direction: 'asc' },
      'payments_filtered',
      SIZE + PAYMENT_TYPES.length,
    ],
    ['of both', { payment_type: 'NETBANKING', payment_status: 'SUCCESS' }, 'payments_filtered', SIZE],
  ])('reads the keys of one page and its rows: %s', async (_name, filters, index, keys) => {
    await page(filters);
    const looked = explaining.looked('payments');
    expect(looked.by).toEqual([index, 'payments_pkey']);
    expect(looked.rows).toBeGreaterThanOrEqual(keysAndRows(SIZE));
    expect(looked.rows).toBeLessThanOrEqual(keysAndRows(keys));
  });

  it.each<[string, PaymentFilters, number]>([
    ['without a filter', {}, 230],
    ['of a status', { payment_status: 'SUCCESS' }, 227],
  ])('passes over no more than a day for a page far behind: %s', async (_name, filters, number) => {
    await page(filters, number);
    const { rows } = explaining.looked('payments');
    expect(rows).toBeGreaterThan(keysAndRows(SIZE));
    expect(rows).toBeLessThanOrEqual(keysAndRows(A_DAY / 2 + SIZE));
  });

  it('reads no payment for a page past the end', async () => {
    await page({}, 1_000_000);
    expect(explaining.looked('payments').rows).toBe(0);
  });

  it.each<[string, PaymentFilters, number]>([
    ['orders', { amc_order_ids: [1_000_002, 1_000_004, 1_000_005] }, 2],
    ['a reference', { source_ref_id: 'ref-8' }, 1],
  ])('looks up those of %s', async (_name, filters, found) => {
    await page({ ...filters, payment_status: 'SUCCESS' });
    expect(explaining.looked('payments').rows).toBeLessThanOrEqual(found * 2);
    expect(explaining.looked('payment_orders').rows).toBeLessThanOrEqual(6);
  });

  it('finds one payment by its id', async () => {
    await findPayment(explaining, 'demo', 4242);
    expect(explaining.looked('payments')).toEqual({ rows: 1, by: ['payments_pkey'] });
  });

  it('finds the shares, refunds and captures of a page by their payments', async () => {
    await withChildren(explaining, ['demo'], [aPayment({ id: 4242 }), aPayment({ id: 4244 })]);
    expect(explaining.looked('payment_orders')).toEqual({ rows: 2, by: ['payment_orders_pkey'] });
    expect(explaining.looked('refunds').by).toEqual(['refunds_payment_id_number_key']);
    expect(explaining.looked('captures').by).toEqual(['captures_payment']);
  });

  it('finds what decides about one payment by its id', async () => {
    await collectionOf(explaining, aPayment({ id: 4242, payment_type: 'NACH' }));
    expect(explaining.looked('payment_orders')).toEqual({ rows: 2, by: ['payment_orders_pkey'] });
    expect(explaining.looked('order_states')).toEqual({ rows: 1, by: ['order_states_pkey'] });
    expect(explaining.looked('refunds').by).toEqual(['refunds_payment_id_number_key']);
    expect(explaining.looked('captures').by).toEqual(['captures_payment']);
    expect(explaining.looked('upi_requests').by).toEqual(['upi_requests_pkey']);
    expect(explaining.looked('checkouts').by).toEqual(['checkouts_pkey']);
    expect(explaining.looked('authorisations').by).toEqual(['authorisations_pkey']);
  });
});
