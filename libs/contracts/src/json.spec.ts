import { jest } from '@jest/globals';
import fc from 'fast-check';
import { JsonNumber, parseJson, stringifyJson } from './json.ts';

/** `parseJson` without its short cut. */
function parseEachValue(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source = '' }: { source?: string }) =>
    typeof value === 'number' && !(Number.isSafeInteger(value) && /^-?\d+$/.test(source))
      ? new JsonNumber(source)
      : value,
  );
}

describe('parseJson', () => {
  it.each(['0', '-1', '9007199254740991'])('returns the safe integer %s as a number', (text) => {
    expect(parseJson(text)).toBe(Number(text));
  });

  it.each([
    '1001.0000',
    '1.0',
    '-0.1',
    '1e3',
    '1E+2',
    '9007199254740993',
    '0.1000000000000000055511151231257827',
  ])('keeps %s as the characters that were sent', (text) => {
    expect(parseJson(text)).toEqual(new JsonNumber(text));
  });

  it('prints what it read, numbers to the last digit (CONV-29)', () => {
    const text = '{"amount":1001.0000,"list":[1,2.50,null],"deep":{"id":9007199254740993}}';

    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  it('reads what JSON.parse reads, and throws where it throws', () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false }), (text) => {
        fc.pre(!text.includes('__proto__'));
        expect(stringifyJson(parseJson(text))).toBeDefined();
        expect(JSON.parse(stringifyJson(parseJson(text)))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    '[1.5]',
    '[ 1.5]',
    '{"a":1.5}',
    '{"a": \n1.5}',
    '[0,-1.5]',
    '[0,1e3]',
    '[1234567890123456]',
    '{"\\u005f_proto__":1}',
    '{"_\\u005Fproto__":1}',
    '{"__\\u0070roto__":1}',
  ])('checks each number and key of %s', (text) => {
    const revive = jest.spyOn(JSON, 'parse');
    try {
      parseJson(text);
    } catch (error) {
      expect(error).toBeInstanceOf(SyntaxError);
    }
    expect(revive).toHaveBeenCalledWith(text, expect.any(Function));
    revive.mockRestore();
  });

  it.each(['[1,-2,999999999999999]', '{"a":"at 1.5","b":[true,null,"0193a1b2e5"]}', '-0'])(
    'does not call the reviver for %s, which needs none',
    (text) => {
      const revive = jest.spyOn(JSON, 'parse');
      expect(parseJson(text)).toEqual(JSON.parse(text));
      expect(revive).toHaveBeenCalledWith(text);
      revive.mockRestore();
    },
  );

  it('reads every JSON text like the parser without the short cut', () => {
    const number = fc.oneof(
      fc.bigInt().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc
        .tuple(fc.maxSafeInteger(), fc.constantFrom('.0', 'e2', 'E+1', '.50e-1'))
        .map(([whole, rest]) => `${whole}${rest}`),
    );
    const blank = fc.constantFrom('', ' ', '\n', '\t ');
    const text = fc.letrec<{ any: string }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        number,
        fc.string().map((value) => JSON.stringify(value)),
        fc
          .tuple(blank, fc.array(tie('any'), { maxLength: 4 }))
          .map(([gap, items]) => `[${gap}${items.join(`${gap},${gap}`)}]`),
        fc
          .tuple(blank, fc.array(fc.tuple(fc.constantFrom('a', 'b.2', '1e'), tie('any')), { maxLength: 3 }))
          .map(([gap, fields]) => `{${fields.map(([name, value]) => `"${name}":${gap}${value}`).join(',')}}`),
      ),
    })).any;
    fc.assert(fc.property(text, (sent) => expect(parseJson(sent)).toEqual(parseEachValue(sent))));
  });

  it.each(['', '{', '{"a":1,}', "{'a':1}", 'NaN', '01', '1.'])('throws SyntaxError on %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('refuses a __proto__ key at any depth', () => {
    expect(() => parseJson('{"a":[{"__proto__":{"admin":true}}]}')).toThrow(
      'the key __proto__ is not accepted',
    );
  });
});
