import fc from 'fast-check';
import { Decimal, decimal, rupees } from './decimal.ts';
import { JsonNumber, parseJson, plainNumber, stringifyJson } from './json.ts';

/** Whole ten-thousandths within `numeric(22,4)`. */
const tenThousandths = fc.bigInt({ min: -(10n ** 22n) + 1n, max: 10n ** 22n - 1n });
const textOf = (value: bigint) => {
  const digits = (value < 0n ? -value : value).toString().padStart(5, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
};
const texts = tenThousandths.map(textOf);

describe('Decimal', () => {
  it('prints what it parsed, to the last zero', () => {
    fc.assert(fc.property(texts, (text) => Decimal.parse(text).toString() === text));
  });

  it('adds as whole numbers do, without a binary float (CONV-29)', () => {
    fc.assert(
      fc.property(fc.array(tenThousandths, { maxLength: 10 }), (values) => {
        const bounded = values.map((value) => value / 100n);
        const sum = Decimal.sum(bounded.map((value) => Decimal.parse(textOf(value))));

        expect(sum.toString()).toBe(textOf(bounded.reduce((total, value) => total + value, 0n)));
      }),
    );
  });

  it('takes away what it added', () => {
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const [a, b] = [Decimal.parse(left), Decimal.parse(right)];

        expect(a.plus(b).minus(b).equals(a)).toBe(true);
      }),
    );
  });

  it('orders as whole numbers do', () => {
    fc.assert(
      fc.property(tenThousandths, tenThousandths, (a, b) => {
        const order = Decimal.parse(textOf(a)).compare(Decimal.parse(textOf(b)));

        expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  it('goes to paise and back', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (paise) => {
        expect(Decimal.ofPaise(paise).toPaise()).toBe(paise);
      }),
    );
  });

  it.each([
    ['1001', '1001.0000'],
    ['1001.5', '1001.5000'],
    ['0.0001', '0.0001'],
    ['-0.5', '-0.5000'],
    ['7.12340000', '7.1234'],
  ])('reads %s as %s', (text, printed) => {
    expect(Decimal.parse(text).toString()).toBe(printed);
  });

  it.each(['', '.5', '1.', '1e3', '0x10', '1,000', ' 1', '0.00001', '١', 'NaN', '9'.repeat(19)])(
    'refuses "%s"',
    (text) => {
      expect(() => Decimal.parse(text)).toThrow(RangeError);
    },
  );

  it('keeps what a double loses: 0.1 + 0.2, and the last digit of a large amount (CONV-29)', () => {
    expect(Decimal.parse('0.1').plus(Decimal.parse('0.2')).toString()).toBe('0.3000');
    expect(Decimal.parse('99999999999999.9999').toString()).toBe('99999999999999.9999');
  });

  it('has no paise below one', () => {
    expect(() => Decimal.parse('1.005').toPaise()).toThrow('1.0050 is not a whole number of paise');
  });

  it.each([
    ['1001', '1001.00'],
    ['0.05', '0.05'],
    ['-12.3', '-12.30'],
  ])('prints %s with two places as %s', (text, printed) => {
    expect(Decimal.parse(text).toFixed2()).toBe(printed);
  });

  it.each([
    ['1001', 0],
    ['1001.5', 1],
    ['1001.50', 1],
    ['0.0001', 4],
  ])('%s uses %d places', (text, places) => {
    expect(Decimal.parse(text).places()).toBe(places);
  });
});

describe('a decimal in JSON', () => {
  it('survives parse and print: 1001.0000 (CONV-27)', () => {
    const object = decimal.parse(parseJson('1001.0000'));

    expect(stringifyJson({ amount: object })).toBe('{"amount":1001.0000}');
  });

  it('survives parse and print for every number', () => {
    fc.assert(fc.property(texts, (text) => stringifyJson(decimal.parse(parseJson(text))) === text));
  });

  it.each(['"1001.0000"', 'null', 'true', '{}', '[1]', '1e-5', '1e999999999'])('is not %s', (text) => {
    expect(decimal.safeParse(parseJson(text)).success).toBe(false);
  });
});

describe('rupees in a request (CONV-26, CONV-40)', () => {
  const read = (text: string) => rupees.safeParse(parseJson(text));

  it.each([
    ['5000', '5000.0000'],
    ['0.01', '0.0100'],
    ['1001.50', '1001.5000'],
    ['1001.500', '1001.5000'],
    ['1e3', '1000.0000'],
    ['1e7', '10000000.0000'],
    ['1.0E7', '10000000.0000'],
    ['1.23456789E8', '123456789.0000'],
    ['1.005e3', '1005.0000'],
    ['1.00550E+2', '100.5500'],
    ['12500e-2', '125.0000'],
    ['100e-04', '0.0100'],
    ['1e011', '100000000000.0000'],
    ['100000000000', '100000000000.0000'],
    ['"5000"', '5000.0000'],
    ['"19.99"', '19.9900'],
    ['"1001.5000"', '1001.5000'],
  ])('takes %s', (text, amount) => {
    expect(read(text).data?.toString()).toBe(amount);
  });

  it.each([
    ['1.005', 'must be a number with at most 2 decimals'],
    ['1e-3', 'must be a number with at most 2 decimals'],
    ['1.23456e2', 'must be a number with at most 2 decimals'],
    ['-1e7', 'must be greater than 0'],
    ['0e5', 'must be greater than 0'],
    ['0.0E99', 'must be greater than 0'],
    ['1e12', 'must be at most 100000000000.00'],
    ['1e99', 'must be at most 100000000000.00'],
    ['1e999999999', 'must be at most 100000000000.00'],
    ['1E+100', 'must be at most 100000000000.00'],
    ['-1e999999999', 'must be a number with at most 2 decimals'],
    ['1e-999999999', 'must be a number with at most 2 decimals'],
    ['0', 'must be greater than 0'],
    ['-5', 'must be greater than 0'],
    ['0.001', 'must be a number with at most 2 decimals'],
    ['100000000000.01', 'must be at most 100000000000.00'],
    ['123456789012345678901', 'must be at most 100000000000.00'],
    ['"5,000"', 'must be a number'],
    ['" 5000"', 'must be a number'],
    ['"05000"', 'must be a number'],
    ['"5e3"', 'must be a number'],
    ['"-5000"', 'must be a number'],
    ['""', 'must be a number'],
    ['"0"', 'must be greater than 0'],
    ['"19.999"', 'must be a number with at most 2 decimals'],
    ['"100000000000.01"', 'must be at most 100000000000.00'],
    [`"${'9'.repeat(30)}"`, 'must be at most 100000000000.00'],
    [`"${'9'.repeat(100)}"`, 'must be a number'],
    ['null', 'must be a number'],
    ['[5000]', 'must be a number'],
  ])('refuses %s: %s', (text, message) => {
    expect(read(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });

  it('reads a number by its value in every notation of its exponent', () => {
    const paise = fc.bigInt({ min: 1n, max: 10n ** 13n });
    const written = fc.record({
      paise,
      places: fc.integer({ min: 0, max: 20 }),
      letter: fc.constantFrom('e', 'E'),
    });
    fc.assert(
      fc.property(written, ({ paise, places, letter }) => {
        const digits = paise.toString().padStart(places + 1, '0');
        const point = digits.length - places;
        const fraction = places === 0 ? '' : `.${digits.slice(point)}`;
        const text = `${digits.slice(0, point)}${fraction}${letter}${places - 2}`;

        expect(read(text).data?.equals(Decimal.ofPaise(paise))).toBe(true);
      }),
    );
  });

  it.each([
    '1e999999999',
    '-1E+999999999',
    '1e-999999999',
    `1e${'9'.repeat(1_000_000)}`,
    `${'9'.repeat(1_000_000)}e1`,
  ])('does not make %.20s longer', (text) => {
    expect(plainNumber(text)).toBe(text);
  });

  it('reports that it is required', () => {
    expect(rupees.safeParse(undefined).error?.issues[0]?.message).toBe('is required');
  });

  it('returns only positive amounts with at most two places', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          // `parseJson` refuses this key, so the schema never gets it.
          fc
            .json()
            .filter((text) => !text.includes('"__proto__"'))
            .map(parseJson),
          fc.double().map((n) => new JsonNumber(String(n))),
        ),
        (input) => {
          const amount = rupees.safeParse(input).data;

          expect(amount === undefined || (amount.isPositive() && amount.places() <= 2)).toBe(true);
        },
      ),
    );
  });
});
