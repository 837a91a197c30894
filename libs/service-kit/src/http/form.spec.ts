import fc from 'fast-check';
import { formObject, readForm } from './form.ts';

describe('a form', () => {
  it('is read like URLSearchParams', () => {
    const text = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string()), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, (pairs) => {
        const sent = new URLSearchParams(pairs).toString();

        expect(Object.entries(formObject(sent))).toEqual(
          Object.entries(Object.fromEntries(new URLSearchParams(sent))),
        );
      }),
    );
  });

  it.each([
    ['', []],
    ['a', [['a', ['']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    [
      'a=%zz&b=%',
      [
        ['a', ['%zz']],
        ['b', ['%']],
      ],
    ],
    ['a=x+y%2B', [['a', ['x y+']]]],
    [
      'constructor=1&__proto__=2',
      [
        ['constructor', ['1']],
        ['__proto__', ['2']],
      ],
    ],
  ])('keeps each value of a name: %s', (text, fields) => {
    expect([...readForm(text)]).toEqual(fields);
  });

  it('has at most 100 fields', () => {
    expect(readForm('a&'.repeat(99) + 'a').get('a')).toHaveLength(100);
    expect(() => readForm('a&'.repeat(100) + 'a')).toThrow('The form has more than 100 fields.');
  });
});
