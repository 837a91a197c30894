import fc from 'fast-check';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

/** Every JSON value, for the fields of a request. */
const anyJson = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: -5, max: 2000 }),
  fc.constantFrom('upi', 'E_MANDATE', 'SDKVENDOR', '9999-12-31', '0001-01-01', '\u0000', 1e21, -0, 1e-7),
);
const VALID = { mandate_type: 'UPI', bank_account_id: 7, provider_name: 'GATEWAYPOA', mandate_limit: 5000 };
const FIELDS = [...Object.keys(VALID), 'valid_from', 'valid_to', 'source_ref_id', 'extra'];
const RUNS = { numRuns: 200 };

describe('arbitrary input to mandates', () => {
  let mandates: MandatesUnderTest;
  beforeAll(async () => {
    mandates = await MandatesUnderTest.start();
  });
  afterAll(() => mandates.stop());

  it('a creation is answered with 201 or with a 4xx in the common error format', async () => {
    const changes = fc.dictionary(fc.constantFrom(...FIELDS), anyJson, { maxKeys: 3 });
    await fc.assert(
      fc.asyncProperty(changes, async (change) => {
        const { status, body } = await mandates.refused('POST', '/api/pg/mandates', {
          body: { ...VALID, ...change },
        });
        expect(status).toBeLessThan(500);
        if (status !== 201) expect(body.error.errors).toBeInstanceOf(Array);
      }),
      RUNS,
    );
  });

  it('a list, a fetch or a cancel is never a 5xx', async () => {
    const filters = fc.constantFrom('bank_account_id', 'source_ref_id', 'page', 'size', 'x');
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('1,2', '0', '20', '999999999999999'),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(filters, text, { maxKeys: 3 }), text, async (query, id) => {
        const entries = Object.entries(query).map(([name, value]): [string, string] => [
          name,
          value.toWellFormed(),
        ]);
        const path = `/api/pg/mandates/${encodeURIComponent(id.toWellFormed())}`;
        const answers = [
          await mandates.ask('GET', `/api/pg/mandates?${new URLSearchParams(entries).toString()}`),
          await mandates.ask('GET', path),
          await mandates.ask('POST', `${path}/cancel`),
        ];
        for (const { status } of answers) expect(status).toBeLessThan(500);
      }),
      RUNS,
    );
  });
});
