import fc from 'fast-check';
import { PaymentsStage } from '../testing/start-payments.ts';

/** Any JSON value, for each field of a request. */
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: -5, max: 2000 }),
  fc.constantFrom(
    'URI',
    'collect',
    'UPI',
    'GATEWAYPOA',
    'https://a.example/',
    '\u0000',
    '99999999999999999999',
    1e21,
    -0,
  ),
);
const FIELDS = [
  'amc_order_ids',
  'payment_postback_url',
  'method',
  'upi',
  'bank_account_id',
  'provider_name',
  'source_ref_id',
  'display_names',
];
const RUNS = { numRuns: 150 };

describe('invalid input', () => {
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(() => stage.stop());

  it('a creation is never a 5xx', async () => {
    const order = stage.neighbours.anOrder();
    const valid = { amc_order_ids: [order.old_id], method: 'UPI', upi: { type: 'URI' }, bank_account_id: 7 };
    const changes = fc.dictionary(fc.constantFrom(...FIELDS, 'extra'), anyJson, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (change) => {
        const answer = await stage.send('POST', '/api/pg/payments/netbanking', { ...valid, ...change });
        expect(answer.status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  it('a list, a fetch, a cancel or a refund is never a 5xx', async () => {
    const filters = [
      'from',
      'to',
      'payment_type',
      'payment_status',
      'amc_order_ids',
      'source_ref_id',
      'page',
      'size',
      'x',
    ];
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('2026-12-21', '0001-01-01', '9999-12-31', '1,2', '0', '20'),
    );
    const authorization = stage.neighbours.tokens.header('demo', 'admin');
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...filters), text, { maxKeys: 3 }),
        text,
        anyJson,
        async (query, id, body) => {
          const path = `/api/pg/payments/${encodeURIComponent(id.toWellFormed())}`;
          const entries = Object.entries(query).map(([name, value]): [string, string] => [
            name,
            value.toWellFormed(),
          ]);
          const answers = [
            await stage.send('GET', `/api/pg/payments?${new URLSearchParams(entries).toString()}`),
            await stage.send('GET', path),
            await stage.send('POST', `${path}/cancel`),
            await stage.send('POST', `${path}/refunds`, body, { authorization }),
          ];
          for (const answer of answers) expect(answer.status).toBeLessThan(500);
        },
      ),
      RUNS,
    );
  });

  it.each(['from=0001-01-01&to=0001-01-01', 'from=9999-12-31&to=9999-12-31'])(
    'a list at the ends of the calendar (%s) is empty',
    async (query) => {
      const answer = await stage.send('GET', `/api/pg/payments?${query}`);
      expect([answer.status, answer.json<{ total_elements: number }>().total_elements]).toEqual([200, 0]);
    },
  );

  it.each(['', '{', 'null', '[]', '"text"', '{"event_id":1}'])(
    'the callback %j is a 400',
    async (payload) => {
      const answer = await stage.service.fastify.inject({
        method: 'POST',
        url: '/callbacks/gatewaypoa/payments',
        headers: { 'content-type': 'application/json' },
        payload,
      });
      expect(answer.statusCode).toBe(400);
    },
  );
});
