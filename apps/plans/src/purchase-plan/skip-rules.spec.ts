import type { ComingDates } from '../skip/skip.repository.ts';
import { aPurchasePlan, MONDAY } from '../testing/purchase-plan.builder.ts';
import { checkRange, rangeOfPause } from './skip-rules.ts';

const DATES = ['2027-01-06', '2027-02-08', '2027-03-08', '2027-04-06', '2027-05-06'];
const coming = (skipped: readonly string[] = [], skippedBefore = 0): ComingDates => ({
  dates: DATES.map((date) => ({ date, skipped: skipped.includes(date) })),
  skippedBefore,
});
const range = (from: string, to: string) => ({ from, to });
const pause = (of: ComingDates, installments: number, now = MONDAY) =>
  rangeOfPause(aPurchasePlan(), of, installments, { most: 2, now });

describe('a skip of a purchase plan (SIP-23)', () => {
  it('takes up to L − 1 installments in a row', () => {
    expect(() => checkRange(coming(), range('2027-01-06', '2027-02-08'), 2)).not.toThrow();
    expect(() => checkRange(coming(), range('2027-01-06', '2027-03-08'), 2)).toThrow('Validation failed');
    expect(() => checkRange(coming(), range('2027-01-06', '2027-01-06'), 1)).not.toThrow();
    expect(() => checkRange(coming(), range('2027-01-06', '2027-02-08'), 1)).toThrow('Validation failed');
  });

  it('counts the installments of other instructions, and those made as skipped', () => {
    const others = coming(['2027-01-06', '2027-02-08']);
    expect(() => checkRange(others, range('2027-03-08', '2027-03-08'), 2)).toThrow('Validation failed');
    expect(() => checkRange(others, range('2027-04-06', '2027-05-06'), 2)).not.toThrow();
    expect(() => checkRange(coming([], 2), range('2027-01-06', '2027-01-06'), 2)).toThrow(
      'Validation failed',
    );
    expect(() => checkRange(coming([], 2), range('2027-02-08', '2027-03-08'), 2)).not.toThrow();
  });

  it('needs a coming installment that is not skipped already', () => {
    expect(() => checkRange(coming(), range('2027-01-07', '2027-02-07'), 2)).toThrow('Validation failed');
    const skipped = coming(['2027-01-06']);
    expect(() => checkRange(skipped, range('2027-01-06', '2027-01-06'), 2)).toThrow('Validation failed');
    expect(() => checkRange(skipped, range('2027-01-06', '2027-02-08'), 2)).not.toThrow();
  });
});

describe('a pause (SIP-22)', () => {
  it('takes the next dates that can be skipped: by mandate from the day after tomorrow', () => {
    expect(pause(coming(), 2)).toEqual(range('2027-01-06', '2027-02-08'));
    const tuesday = new Date('2027-01-05T10:00:00+05:30');
    expect(pause(coming(), 2, tuesday)).toEqual(range('2027-02-08', '2027-03-08'));
  });

  it('is at most L − 1 installments, and once for a date', () => {
    expect(() => pause(coming(), 3)).toThrow('Validation failed');
    expect(() => pause(coming(['2027-01-06']), 1)).toThrow('is skipped already');
    expect(() => pause(coming([], 1), 2)).toThrow('Validation failed');
  });

  it('needs a date that can be skipped', () => {
    expect(() => pause({ dates: [{ date: '2027-01-05', skipped: false }], skippedBefore: 0 }, 1)).toThrow(
      'Validation failed',
    );
  });
});
