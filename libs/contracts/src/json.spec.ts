import fc from 'fast-check';
import { JsonNumber, parseJson, stringifyJson } from './json.ts';

describe('parseJson', () => {
  it.each(['0', '-1', '9007199254740991'])('answers the safe integer %s as a number', (text) => {
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

  it('prints what it read, numbers to the last digit', () => {
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

  it.each(['', '{', '{"a":1,}', "{'a':1}", 'NaN', '01', '1.'])('throws SyntaxError on %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  it('refuses a __proto__ key at any depth', () => {
    expect(() => parseJson('{"a":[{"__proto__":{"admin":true}}]}')).toThrow(
      'the key __proto__ is not accepted',
    );
  });
});
