import { z } from 'zod';
import { parseJson } from './json.ts';
import { parseDroppingNewFields } from './drop-new-fields.ts';

const schema = z.strictObject({
  id: z.string(),
  inner: z.strictObject({ amount: z.unknown() }).nullable(),
  items: z.array(z.strictObject({ id: z.int() })),
});

describe('reading what a newer version wrote', () => {
  it('drops unknown fields at any depth and does not change the rest', () => {
    const text =
      '{"id":"a","new":{"x":[]},"inner":{"amount":10.50,"currency":"INR"},"items":[{"id":1},{"id":2,"size":3,"id2":4}]}';
    const value = parseJson(text);
    const before = JSON.stringify(value);

    const read = parseDroppingNewFields(schema, value);

    expect(JSON.stringify(read)).toBe('{"id":"a","inner":{"amount":10.50},"items":[{"id":1},{"id":2}]}');
    expect(JSON.stringify(value)).toBe(before);
  });

  it.each([
    ['a missing field', { id: 'a', inner: null, new: 1 }],
    ['another kind', { id: 1, inner: null, items: [] }],
    ['another kind beside a new field', { id: 'a', inner: null, items: [{ id: 'x', new: 1 }] }],
    ['no object', 'text'],
  ])('refuses %s', (_, value) => {
    expect(() => parseDroppingNewFields(schema, value)).toThrow(z.ZodError);
  });
});
