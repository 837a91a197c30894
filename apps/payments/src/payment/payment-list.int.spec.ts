import { addDays, istInstant, PAYMENT_STATUSES, PAYMENT_TYPES } from '@fundrail/contracts';
import fc from 'fast-check';
import { INSERT_LISTED, listedAsJson, plainPage } from '../testing/listed-payments.ts';
import type { ListQuery, Listed } from '../testing/listed-payments.ts';
import { PaymentsStage } from '../testing/start-payments.ts';
import { foldPaymentCounts } from './payment-counts.repository.ts';

const TENANTS = ['demo', 'other'] as const;
const DAY = '2026-12-21';
const DAYS = 5;
const MINUTE = 60_000;

const day = fc.integer({ min: -1, max: DAYS }).map((days) => addDays(DAY, days));
/** Only a few instants, so that many payments share one, most of them around midnight in India. */
const instant = fc
  .record({
    date: fc.integer({ min: 0, max: DAYS - 1 }),
    at: fc.constantFrom(0, 1, 500, 18_000_000, 43_200_000, 86_399_999),
  })
  .map(({ date, at }) => new Date(istInstant(addDays(DAY, date)).getTime() + at));
const orderId = fc.integer({ min: 1, max: 30 });

const payments = fc
  .array(
    fc.record({
      tenant: fc.constantFrom(...TENANTS),
      payment_type: fc.constantFrom(...PAYMENT_TYPES),
      status: fc.constantFrom(...PAYMENT_STATUSES),
      created_at: instant,
      has_reference: fc.boolean(),
      amc_order_ids: fc.uniqueArray(orderId, { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 200, size: 'max' },
  )
  .map((drawn) =>
    drawn.map(({ has_reference, ...one }, index): Listed => {
      // Ids do not follow the time: a block of them is drawn before its payments are created.
      const id = 1000 + ((index * 37) % 211);
      return { ...one, id, source_ref_id: has_reference ? `ref-${id}` : null };
    }),
  );

/** A few combined filters; with more, no payment would match. */
const filterNames = fc.subarray(
  [
    'from',
    'to',
    'payment_type',
    'payment_type',
    'payment_status',
    'payment_status',
    'amc_order_ids',
    'source_ref_id',
    'direction',
    'direction',
  ],
  { maxLength: 3 },
);
const asked: fc.Arbitrary<Omit<ListQuery, 'page'>> = fc
  .tuple(
    fc.record({
      from: day,
      to: day,
      payment_type: fc.constantFrom(...PAYMENT_TYPES),
      payment_status: fc.constantFrom(...PAYMENT_STATUSES),
      amc_order_ids: fc.array(orderId, { minLength: 1, maxLength: 4 }),
      source_ref_id: fc.integer({ min: 1000, max: 1211 }).map((id) => `ref-${id}`),
      direction: fc.constantFrom('asc' as const, 'DESC' as const),
    }),
    filterNames,
    fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(100)),
  )
  .map(([filters, names, size]) => ({
    ...Object.fromEntries(Object.entries(filters).filter(([name]) => names.includes(name))),
    size,
  }));
/** The first pages, the one after the last, and one far after it. */
const pagesOf = (all: readonly Listed[], tenant: string, query: Omit<ListQuery, 'page'>): number[] => {
  const { total_pages } = plainPage(all, tenant, { ...query, page: 0 });
  return [...new Set([0, 1, 2, 3, total_pages, 9_999_999])];
};

describe('the list of payments', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(() => stage.stop());

  const put = (some: readonly Listed[]) => stage.rows(INSERT_LISTED, listedAsJson(some));
  const empty = () => stage.rows('WITH gone AS (DELETE FROM payment_orders) DELETE FROM payments');
  const page = async (tenant: string, query: ListQuery | string) => {
    const entries = Object.entries(typeof query === 'string' ? {} : query);
    const text =
      typeof query === 'string'
        ? query
        : entries.map(([name, value]) => `${name}=${String(value)}`).join('&');
    const answer = await stage.send('GET', `/api/pg/payments?${text}`, undefined, {
      authorization: stage.neighbours.tokens.header(tenant),
      'x-tenant-id': tenant,
    });
    if (answer.status !== 200) throw new Error(answer.body);
    const { payments: rows, ...rest } = answer.json<{ payments: { id: number }[] }>();
    return { ...rest, payments: rows.map(({ id }) => id) };
  };

  it(
    'equals a plain filter over all payments, for any query, folded or not (CONV-22, CONV-36, PAY-21)',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          payments,
          fc.nat(200),
          fc.array(asked, { minLength: 15, maxLength: 15 }),
          async (all, folded, queries) => {
            await empty();
            await put(all.slice(0, folded));
            await foldPaymentCounts(stage.service.database);
            await put(all.slice(folded));
            for (const query of queries) {
              const tenant = TENANTS[query.size % TENANTS.length] ?? TENANTS[0];
              for (const number of pagesOf(all, tenant, query)) {
                const one = { ...query, page: number };
                expect(await page(tenant, one)).toEqual(plainPage(all, tenant, one));
              }
            }
          },
        ),
        { numRuns: 12 },
      );
    },
    5 * MINUTE,
  );

  it('is newest first, or oldest first, complete and without repeats over all pages (CONV-20, PAY-21)', async () => {
    await empty();
    const at = (index: number) => new Date(istInstant(DAY).getTime() + Math.floor(index / 7) * 6 * 3_600_000);
    const all = Array.from({ length: 90 }, (_, index): Listed => ({
      id: index + 1,
      tenant: 'demo',
      payment_type: 'NETBANKING',
      status: index % 3 === 0 ? 'FAILED' : 'PENDING',
      created_at: at(index),
      source_ref_id: null,
      amc_order_ids: [],
    }));
    await put(all);
    const read = async (order: object) => {
      const pages = [];
      for (let number = 0; number < 13; number += 1)
        pages.push((await page('demo', { ...order, page: number, size: 7 })).payments);
      return pages.flat();
    };
    const ids = all.map(({ id }) => id);
    expect(await read({ direction: 'asc' })).toEqual(ids);
    expect(await read({})).toEqual(ids.reverse());
  });

  it('has no payments in a range of days that ends before it starts', async () => {
    expect(await page('demo', 'from=2026-12-22&to=2026-12-21')).toMatchObject({
      total_elements: 0,
      payments: [],
    });
  });

  it.each([
    'page=-1',
    'page=1.5',
    'page=a',
    'size=0',
    'size=101',
    'sort=created_at',
    'from=21-12-2026',
    'payment_status=paid',
    'direction=up',
  ])('refuses %s', async (query) => {
    expect((await stage.send('GET', `/api/pg/payments?${query}`)).status).toBe(400);
  });
});
