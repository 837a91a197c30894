import { addDays } from '../time.ts';
import fc from 'fast-check';
import { businessDaysAfter, isBusinessDay, SEEDED_HOLIDAYS } from './business-day.ts';
import { EQUITY_HOLIDAYS } from './equity-holidays.ts';

const aDate = fc.integer({ min: 0, max: 1500 }).map((days) => addDays('2025-01-01', days));

describe('the equity calendar', () => {
  it.each([
    ['2026-12-21', true, 'a Monday'],
    ['2026-12-25', false, 'Christmas'],
    ['2026-12-26', false, 'a Saturday'],
    ['2026-12-27', false, 'a Sunday'],
    ['2030-12-24', true, 'a Tuesday of a year without a list'],
    ['2030-12-25', false, 'Christmas of a year without a list'],
    ['2029-01-26', false, 'Republic Day of a year without a list'],
    ['2029-05-01', false, 'Labour Day of a year without a list'],
    ['2029-08-15', false, 'Independence Day of a year without a list'],
    ['2029-10-02', false, "Gandhi's birthday of a year without a list"],
  ])('%s: %s, %s', (date, expected) => {
    expect(isBusinessDay(date, SEEDED_HOLIDAYS)).toBe(expected);
  });

  it('uses only the list of a year when the year has one', () => {
    expect(isBusinessDay('2029-10-02', new Map([[2029, new Set<string>()]]))).toBe(true);
  });

  it('lists only weekdays of the year, each once and in order', () => {
    for (const [year, dates] of Object.entries(EQUITY_HOLIDAYS)) {
      expect([...new Set(dates)].sort()).toEqual(dates);
      for (const date of dates) {
        expect(date.startsWith(year)).toBe(true);
        expect([1, 2, 3, 4, 5]).toContain(new Date(`${date}T00:00:00Z`).getUTCDay());
      }
    }
  });

  it('counts on over weekends and holidays', () => {
    // Monday 21 December 2026: 22, 23, 24, (25 Christmas, 26, 27), 28, 29, 30, 31 is the seventh, 1 January the eighth.
    expect(businessDaysAfter('2026-12-21', 7, SEEDED_HOLIDAYS)).toBe('2026-12-31');
    expect(businessDaysAfter('2026-12-21', 8, SEEDED_HOLIDAYS)).toBe('2027-01-01');
    const replaced = new Map([[2026, new Set(['2026-12-22'])]]);
    expect(businessDaysAfter('2026-12-21', 1, replaced)).toBe('2026-12-23');
  });

  it('lands on a business day with exactly as many between', () => {
    fc.assert(
      fc.property(aDate, fc.integer({ min: 1, max: 30 }), (from, count) => {
        const to = businessDaysAfter(from, count, SEEDED_HOLIDAYS);
        let between = 0;
        for (let day = addDays(from, 1); day <= to; day = addDays(day, 1))
          if (isBusinessDay(day, SEEDED_HOLIDAYS)) between += 1;
        expect(isBusinessDay(to, SEEDED_HOLIDAYS)).toBe(true);
        expect(between).toBe(count);
      }),
    );
  });
});
