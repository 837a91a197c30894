import { commaList, createRedemptionOrInstallment, parseJson } from '@fundrail/contracts';
import { z } from 'zod';
import { SchemaPipe } from './schema.pipe.ts';

describe('SchemaPipe', () => {
  const pipe = new SchemaPipe();
  const check = (schema: z.ZodType, value: unknown, type: 'body' | 'query' = 'body') =>
    pipe.transform(value, { type, schema });
  const fieldsOf = (run: () => unknown): unknown => {
    try {
      run();
    } catch (error) {
      return (error as { errors: unknown }).errors;
    }
    return 'accepted';
  };

  it("returns the schema's output with defaults and coercion", () => {
    expect(check(z.strictObject({ page: z.coerce.number().default(1) }), {}, 'query')).toEqual({ page: 1 });
  });

  it.each([
    ['NUL', '\0'],
    ['half of a surrogate pair', '\ud83d'],
  ])('refuses %s in any text', (_what, text) => {
    const schema = z.looseObject({ list: z.array(z.object({ name: z.string() })).optional() });
    const refused = [{ field: 'list.1.name', message: 'must not contain NUL or an incomplete character' }];
    expect(fieldsOf(() => check(schema, { list: [{ name: 'a' }, { name: `b${text}` }] }))).toEqual(refused);
    expect(fieldsOf(() => check(schema, { [`a${text}`]: 1 }))).toMatchObject([{ field: 'body' }]);
    expect(fieldsOf(() => check(z.string(), text, 'query'))).toMatchObject([{ field: 'query' }]);
    expect(check(schema, { list: [{ name: '😀 ' }] })).toEqual({ list: [{ name: '😀 ' }] });
  });

  it('reports the nearest choice of a union', () => {
    const upi = z.union([
      z.strictObject({ type: z.literal('uri') }),
      z.strictObject({ type: z.literal('collect'), vpa: z.string() }),
    ]);
    expect(fieldsOf(() => check(z.strictObject({ upi }), { upi: { type: 'collect' } }))).toEqual([
      { field: 'upi.vpa', message: 'is required' },
    ]);
    expect(fieldsOf(() => check(z.strictObject({ upi }), {}))).toEqual([
      { field: 'upi', message: 'is required' },
    ]);
  });

  const redemption = {
    mf_investment_account: `mfia_${'1'.repeat(32)}`,
    scheme: 'INF173K01FE6',
    folio_number: '123/45',
    amount: 5000,
  };
  it.each<[string, object, string[]]>([
    ['a plan and all fields of a redemption', { ...redemption, plan: `mfr_${'1'.repeat(32)}` }, ['plan']],
    ['no plan, but null', { ...redemption, plan: null }, ['plan']],
    ['one bad field', { ...redemption, scheme: 'IN' }, ['scheme']],
    [
      'three words that are none of the list',
      { ...redemption, gateway: 'x', initiated_by: 'x', initiated_via: 'x' },
      ['gateway', 'initiated_by', 'initiated_via'],
    ],
    ['a plan of another form', { plan: 'mfrd_1' }, ['plan']],
    ['nothing', {}, ['mf_investment_account', 'scheme', 'folio_number']],
  ])(
    'given a redemption with %s, when it is refused, then only that is named (ORD-5)',
    (_what, body, fields) => {
      const errors = fieldsOf(() => check(createRedemptionOrInstallment, body)) as { field: string }[];
      expect(errors.map(({ field }) => field)).toEqual(fields);
    },
  );

  it('names the whole body when a rule is about all of it', () => {
    const schema = z
      .strictObject({ a: z.string().optional() })
      .refine((value) => value.a, { message: 'needs a' });
    expect(fieldsOf(() => check(schema, {}))).toEqual([{ field: 'body', message: 'needs a' }]);
  });

  it('names items of lists', () => {
    expect(fieldsOf(() => check(z.strictObject({ ids: z.array(z.int()) }), { ids: [1, 'x'] }))).toMatchObject(
      [{ field: 'ids.1' }],
    );
  });

  it("uses a union's own sentence when it has one", () => {
    const ip = z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' });
    expect(fieldsOf(() => check(z.strictObject({ ip }), { ip: 'x' }))).toEqual([
      { field: 'ip', message: 'must be an IP address' },
    ]);
  });

  it('reports one error for each field', () => {
    const name = z.string().min(2).regex(/^a/, 'must begin with a');
    expect(fieldsOf(() => check(z.strictObject({ name }), { name: 'x' }))).toHaveLength(1);
  });

  it('names the text of a query when one of its items is wrong', () => {
    const states = commaList(z.enum(['open', 'closed']));
    const [error] = fieldsOf(() => check(z.strictObject({ states }), { states: 'open,lost' }, 'query')) as [
      { field: string; message: string },
    ];
    expect(error.field).toBe('states');
    expect(error.message).toBe('must be one of: open, closed');
  });

  it.each([
    [z.string(), 1, 'must be a string'],
    [z.int(), 'x', 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.array(z.string()), 'x', 'must be a list'],
    [z.strictObject({}), 'x', 'must be an object'],
    [z.literal('uri'), 'x', 'must be uri'],
    [z.enum(['uri', 'collect']), 'x', 'must be one of: uri, collect'],
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(2), 'x', 'must have at least 2 characters'],
    [z.string().max(1), 'xy', 'must have at most 1 character'],
    [z.string().length(3), 'xy', 'must have exactly 3 characters'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().positive(), 0, 'must be greater than 0'],
    [z.number().max(3), 4, 'must be at most 3'],
    [z.email(), 'x', 'must be an e-mail address'],
    [z.iso.date(), 'x', 'must be a date like 2026-01-31'],
    [z.union([z.string(), z.boolean()]), 1, 'must be a string'],
    [z.discriminatedUnion('kind', [z.strictObject({ kind: z.literal('a') })]), { kind: 'x' }, 'must be a'],
    [z.string().regex(/^a/, 'must begin with a'), 'x', 'must begin with a'],
  ])('explains the error in plain words: %#', (schema, given, message) => {
    const [error] = fieldsOf(() => check(z.strictObject({ field: schema }), { field: given })) as [
      { message: string },
    ];
    expect(error.message).toBe(message);
  });

  it.each([
    ['1.5', 'body', 'must be an object'],
    ['{"mobile":1.5}', 'mobile', 'must be an object'],
    ['{"count":1.5}', 'count', 'must be a number'],
  ])('never names fields inside a number: %s', (text, field, message) => {
    const mobile = z.strictObject({ number: z.string() });
    const schema = z.strictObject({ mobile: mobile.optional(), count: z.int().optional() });
    expect(fieldsOf(() => check(schema, parseJson(text)))).toEqual([{ field, message }]);
  });

  it('does not change values without a schema or of another decorator', () => {
    const value = { any: 1 };
    expect(pipe.transform(value, { type: 'body' })).toBe(value);
    expect(pipe.transform(value, { type: 'custom', schema: z.string() })).toBe(value);
  });
});
