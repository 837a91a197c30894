import { istInstant } from '@fundrail/contracts';
import fc from 'fast-check';
import { confirmationDeadline, nextUnpaidSweep } from './order-due.ts';

describe('the deadline of a confirmation', () => {
  it.each([
    ['2026-12-21', '10:00', '2027-01-01', 'Christmas and a weekend between'],
    ['2026-12-21', '00:00', '2027-01-01', 'the first minute of the day'],
    ['2026-12-21', '23:59', '2027-01-01', 'the last minute of the day'],
    ['2026-12-25', '12:00', '2027-01-06', 'reviewed on a holiday'],
  ])('reviewed on %s at %s IST ends as %s begins: %s', (date, time, expected) => {
    expect(confirmationDeadline(istInstant(date, time))).toEqual(istInstant(expected));
  });
});

describe('the sweep of unpaid orders', () => {
  it.each([
    ['22:29', '2026-12-21'],
    ['22:30', '2026-12-21'],
    ['22:31', '2026-12-22'],
    ['23:00', '2026-12-22'],
    ['23:59', '2026-12-22'],
    ['00:00', '2026-12-21'],
  ])('submitted on 21 December at %s IST is swept on %s', (time, expected) => {
    const submitted = istInstant('2026-12-21', time);
    expect(nextUnpaidSweep(submitted, submitted)).toEqual(istInstant(expected, '23:00'));
  });

  it('is at 23:00 IST, at least 30 minutes after the submission and within a day of that', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * 86_400_000 }), (ms) => {
        const submitted = new Date(istInstant('2026-01-01').getTime() + ms);
        const sweep = nextUnpaidSweep(submitted, submitted);
        const wait = sweep.getTime() - submitted.getTime();
        expect(sweep.toISOString().slice(11)).toBe('17:30:00.000Z');
        expect(wait).toBeGreaterThanOrEqual(30 * 60_000);
        expect(wait).toBeLessThan(30 * 60_000 + 86_400_000);
      }),
    );
  });
});
