import fc from 'fast-check';
import { exceededBound } from './json-bounds.ts';

const NONE = { values: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY };

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Each comma and each list or object counts, as a reader without a parser sees them. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return 1 + Math.max(0, inner.length - 1) + inner.reduce<number>((sum, one) => sum + valuesOf(one), 0);
}

describe('the bounds of a JSON text', () => {
  it('are exceeded by one value or one level too many, and not by as many as are allowed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const exact = { values: valuesOf(value), depth: depthOf(value) };

        expect(exceededBound(text, exact)).toBeNull();
        if (exact.depth === 0) return;
        expect(exceededBound(text, { ...NONE, values: exact.values - 1 })).toBe('values');
        expect(exceededBound(text, { ...NONE, depth: exact.depth - 1 })).toBe('depth');
      }),
    );
  });

  it.each([
    ['{"a":"[[[[,,,,"}', null],
    ['{"a":"\\"[[[[,,,,"}', null],
    ['{"a":"\\\\","b":[[1]]}', 'depth'],
    ['[1,1,1,1,1]', 'values'],
    ['"[[[[', null],
  ])('do not count characters inside strings: %s', (text, exceeded) => {
    expect(exceededBound(text, { values: 4, depth: 2 })).toBe(exceeded);
  });

  it('are not read beyond the bound', () => {
    const read: number[] = [];
    const text = { length: 1_000_000, charCodeAt: (at: number) => (read.push(at), 91) };

    exceededBound(text, { values: 100, depth: 8 });

    expect(read.at(-1)).toBe(8);
  });
});
