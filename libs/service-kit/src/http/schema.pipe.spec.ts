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

  it("hands on the schema's output, defaults and coercion done", () => {
    expect(check(z.strictObject({ page: z.coerce.number().default(1) }), {}, 'query')).toEqual({ page: 1 });
  });

  it('tells of the nearest choice of a union', () => {
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

  it('names the whole when a rule is about all of it', () => {
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

  it('leaves alone what has no schema, and what another decorator made', () => {
    const value = { any: 1 };
    expect(pipe.transform(value, { type: 'body' })).toBe(value);
    expect(pipe.transform(value, { type: 'custom', schema: z.string() })).toBe(value);
  });
});
