import {
  createMfPurchase,
  createMfPurchases,
  JsonNumber,
  listMfPurchases,
  parseJson,
  patchMfPurchase,
  patchMfPurchases,
} from '@fundrail/contracts';
import fc from 'fast-check';
import { ACCOUNT } from '../testing/purchase.builder.ts';

const VALID = { mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6', amount: 5000 };
const ID = `mfp_${'a'.repeat(32)}`;
const OTHER_ID = `mfp_${'b'.repeat(32)}`;

/** The fields that a schema reports; empty when it accepts the value. */
function blamed(
  schema: typeof createMfPurchase | typeof patchMfPurchase | typeof createMfPurchases,
  value: unknown,
): string[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')],
  );
}

describe('the body of a creation', () => {
  it.each([
    ['the minimum', {}],
    ['paise', { amount: new JsonNumber('0.01') }],
    ['null for absent fields', { folio_number: null, euin: null, source_ref_id: null, scheduled_on: null }],
    ['an IPv6 address', { user_ip: '2001:db8::1' }],
  ])('is accepted: %s', (_, changes) => {
    expect(blamed(createMfPurchase, { ...VALID, ...changes })).toEqual([]);
  });

  it.each([
    ['mf_investment_account', undefined],
    ['mf_investment_account', 'mfia_1'],
    ['scheme', 'INF173K01FE7'],
    ['scheme', 'US0378331005'],
    ['scheme', 'inf173k01fe6'],
    ['amount', undefined],
    ['amount', null],
    ['amount', '5,000'],
    ['amount', 0],
    ['amount', -1],
    ['amount', new JsonNumber('1.001')],
    ['amount', new JsonNumber('1e400')],
    ['folio_number', 'a'.repeat(31)],
    ['gateway', 'bse'],
    ['user_ip', '300.1.1.1'],
    ['euin', 'E12345'],
    ['partner', 'a\u0000b'],
    ['source_ref_id', ''],
    ['source_ref_id', 'a'.repeat(101)],
    ['initiated_by', 'robot'],
    ['initiated_via', 'carrier pigeon'],
    ['scheduled_on', '2026-02-30'],
    ['unknown', 1],
  ])('reports %s for %p (ORD-3, ORD-6, ORD-8)', (field, value) => {
    expect(blamed(createMfPurchase, { ...VALID, [field]: value })).toEqual([field]);
  });
});

it('the initiator and the channel of an order have exactly the listed values (ORD-8)', () => {
  const { initiated_by, initiated_via } = createMfPurchase.shape;
  const ways =
    'web mobile_app mobile_app_android mobile_app_ios mobile_web mobile_web_android mobile_web_ios email';
  expect(initiated_by.unwrap().unwrap().options).toEqual(['investor', 'distributor', 'system']);
  expect(initiated_via.unwrap().unwrap().options).toEqual(ways.split(' '));
});

describe('the body of a change (ORD-11, ORD-12)', () => {
  it.each([
    ['both consent and state', { state: 'confirmed', consent: { email: 'a@example.com' } }, ['state']],
    ['neither', {}, ['state']],
    ['another state', { state: 'cancelled' }, ['state']],
    ['an empty consent', { consent: {} }, ['consent']],
    ['a consent that is null', { consent: null }, ['consent']],
    ['another field', { state: 'confirmed', amount: 1 }, ['amount']],
  ])('is refused with %s', (_, change, fields) => {
    expect(blamed(patchMfPurchase, { id: ID, ...change })).toEqual(fields);
  });
});

describe('a batch (ORD-2)', () => {
  it('has one account', () => {
    const stranger = { ...VALID, mf_investment_account: `mfia_${'2'.repeat(32)}` };
    const body = { mf_purchases: [VALID, stranger] };
    expect(blamed(createMfPurchases, body)).toEqual(['mf_purchases.1.mf_investment_account']);
  });

  it.each([0, 11])('may not have %p orders', (count) => {
    const body = { mf_purchases: Array.from({ length: count }, () => VALID) };
    expect(blamed(createMfPurchases, body)).toEqual(['mf_purchases']);
  });

  it('may not contain an order twice', () => {
    const patches = [ID, OTHER_ID, ID].map((id) => ({ id, state: 'confirmed' }));
    const result = patchMfPurchases.safeParse({ mf_purchases: patches });
    expect(result.error?.issues.map((issue) => issue.path.join('.'))).toEqual(['mf_purchases.2.id']);
  });
});

describe('the query of the list', () => {
  it('reads states as a comma-separated list, and has a default limit of 100, the newest first', () => {
    expect(listMfPurchases.parse({ states: 'pending,failed' })).toEqual({
      states: ['pending', 'failed'],
      limit: 100,
      direction: 'desc',
    });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1e1' },
    { states: 'pending,' },
    { states: 'x' },
    { page: '1' },
  ])('is refused: %p', (query) => {
    expect(listMfPurchases.safeParse(query).success).toBe(false);
  });
});

describe('any input', () => {
  it('is accepted or refused by the schemas, and never makes them throw', () => {
    const field = fc.constantFrom(
      ...Object.keys(createMfPurchase.shape),
      'id',
      'state',
      'consent',
      'mf_purchases',
    );
    const body = fc.dictionary(field, fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.constant(VALID)));
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), body), (value) => {
        // Refused when the JSON is parsed, before any schema.
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        const read = parseJson(JSON.stringify(value));
        for (const schema of [createMfPurchase, createMfPurchases, patchMfPurchase, patchMfPurchases])
          expect(typeof schema.safeParse(read).success).toBe('boolean');
      }),
      { numRuns: 300 },
    );
  });
});
