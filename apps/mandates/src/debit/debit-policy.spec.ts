import {
  PAYMENT_FAILURE_CODES,
  SEEDED_HOLIDAYS,
  addDays,
  isBusinessDay,
  istDate,
  istInstant,
  istTimestamp,
} from '@fundrail/contracts';
import { readWindows } from '@fundrail/policies';
import fc from 'fast-check';
import { RULES } from '../testing/debit-rules.ts';
import {
  emandateExecution,
  executionAfterNotice,
  isResultOverdue,
  keepsNotice,
  leastNoticeMs,
  nextExecution,
  retryAt,
  retryHelps,
} from './debit-policy.ts';
import type { FailedAttempt } from './debit-policy.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** `2026-12-21 10:00` in IST; that day is a Monday. */
const at = (text: string) => istInstant(text.slice(0, 10), text.slice(11));
const shown = (instant: Date | null) => instant && istTimestamp(instant).slice(0, 16).replace('T', ' ');

/** Whether the time is in a window of the rules, computed in another way than the policy does. */
function isInWindow(instant: Date): boolean {
  const time = istTimestamp(instant).slice(11, 19);
  return time < '10:00:00' || (time >= '13:00:00' && time < '17:00:00') || time >= '21:30:00';
}

describe('the notice and the windows (RBI 21 April 2026, NPCI 1 August 2025)', () => {
  it.each([
    // 25 hours later, or at the start of the next window: the minute before a boundary, the minute, the minute after.
    ['2026-12-21 08:54', '2026-12-22 09:54'],
    ['2026-12-21 08:55', '2026-12-22 09:55'],
    ['2026-12-21 08:56', '2026-12-22 13:00'],
    ['2026-12-21 08:59', '2026-12-22 13:00'],
    ['2026-12-21 09:00', '2026-12-22 13:00'],
    ['2026-12-21 09:01', '2026-12-22 13:00'],
    ['2026-12-21 11:59', '2026-12-22 13:00'],
    ['2026-12-21 12:00', '2026-12-22 13:00'],
    ['2026-12-21 12:01', '2026-12-22 13:01'],
    ['2026-12-21 15:54', '2026-12-22 16:54'],
    ['2026-12-21 15:55', '2026-12-22 16:55'],
    ['2026-12-21 15:56', '2026-12-22 21:30'],
    ['2026-12-21 20:29', '2026-12-22 21:30'],
    ['2026-12-21 20:30', '2026-12-22 21:30'],
    ['2026-12-21 20:31', '2026-12-22 21:31'],
    // The night is one window, over midnight, over the end of a month and of a year, and through a leap day.
    ['2026-12-21 22:57', '2026-12-22 23:57'],
    ['2026-12-21 23:00', '2026-12-23 00:00'],
    ['2026-12-30 22:58', '2026-12-31 23:58'],
    ['2026-12-30 23:01', '2027-01-01 00:01'],
    ['2028-02-28 10:00', '2028-02-29 13:00'],
    ['2028-02-27 23:30', '2028-02-29 00:30'],
    ['2028-02-28 23:30', '2028-03-01 00:30'],
    // The night when the windows came into force.
    ['2025-07-31 08:54', '2025-08-01 09:54'],
    ['2025-07-31 23:00', '2025-08-02 00:00'],
  ])('a notice of %s is followed by the debit at %s', (notice, execution) => {
    expect(shown(executionAfterNotice(at(notice), RULES))).toBe(execution);
  });

  it('given any notice, when its debit is planned, then it is 25 to 30 hours later, and in a window', () => {
    const instants = fc
      .integer({ min: 0, max: 6 * 366 * 24 * 3600 })
      .map((s) => new Date(at('2025-01-01 00:00').getTime() + s * 1000));
    fc.assert(
      fc.property(instants, (notice) => {
        const execution = executionAfterNotice(notice, RULES);
        expect(execution.getTime() - notice.getTime()).toBeGreaterThanOrEqual(25 * HOUR_MS);
        expect(execution.getTime() - notice.getTime()).toBeLessThan(30 * HOUR_MS);
        expect(keepsNotice(execution, notice)).toBe(true);
        expect(isInWindow(execution)).toBe(true);
        expect(isInWindow(new Date(execution.getTime() + RULES.windowMarginMs - 1))).toBe(true);
      }),
    );
  });

  it.each([
    [24 * HOUR_MS - 1, false],
    [24 * HOUR_MS, true],
    [24 * HOUR_MS + 1, true],
  ])('an execution %i ms after the notice complies with the law: %s', (ms, kept) => {
    const notice = at('2028-02-28 12:00');
    expect(keepsNotice(new Date(notice.getTime() + ms), notice)).toBe(kept);
  });

  it('is required from 21 April 2026 on', () => {
    const first = at('2026-04-21 00:00');
    expect([new Date(first.getTime() - 1), first].map(leastNoticeMs)).toEqual([0, 24 * HOUR_MS]);
  });

  it('begin and end to the millisecond (autopay_windows)', () => {
    const rules = { ...RULES, windowMarginMs: 1 };
    const around = (time: string) =>
      [-1, 0, 1].map((ms) => {
        const from = new Date(at(`2026-12-21 ${time}`).getTime() + ms);
        return shown(nextExecution(from, rules))?.slice('2026-12-21 '.length);
      });
    expect(around('10:00')).toEqual(['09:59', '13:00', '13:00']);
    expect(around('13:00')).toEqual(['13:00', '13:00', '13:00']);
    expect(around('17:00')).toEqual(['16:59', '21:30', '21:30']);
    expect(around('21:30')).toEqual(['21:30', '21:30', '21:30']);
  });

  it('uses the configured figures', () => {
    const rules = { ...RULES, noticeMs: 30 * HOUR_MS, windows: readWindows('10:00-11:00') ?? [] };
    expect(shown(executionAfterNotice(at('2026-12-21 04:00'), rules))).toBe('2026-12-22 10:00');
    expect(shown(executionAfterNotice(at('2026-12-21 05:00'), rules))).toBe('2026-12-23 10:00');
    expect(shown(nextExecution(at('2026-12-21 10:55'), rules))).toBe('2026-12-21 10:55');
    expect(shown(nextExecution(at('2026-12-21 10:56'), rules))).toBe('2026-12-22 10:00');
  });
});

describe('retries (DEB-10)', () => {
  const failed = (changes: Partial<FailedAttempt> = {}): FailedAttempt => ({
    mandate_type: 'UPI',
    number: 1,
    failure_code: 'insufficient_funds',
    started_at: at('2026-12-22 13:00'),
    ended_at: at('2026-12-22 13:01'),
    first_started_at: at('2026-12-22 13:00'),
    ...changes,
  });

  it.each([
    ['2026-12-22 13:00', '2026-12-22 13:01', '2026-12-22 21:30'],
    ['2026-12-22 16:55', '2026-12-22 16:59', '2026-12-22 21:30'],
    ['2026-12-22 21:30', '2026-12-22 23:50', '2026-12-23 13:00'],
    ['2026-12-22 23:50', '2026-12-23 00:10', '2026-12-23 13:00'],
    ['2026-12-23 00:10', '2026-12-23 09:59', '2026-12-23 13:00'],
    // After a result in a later window, the retry is immediate if enough of that window is left.
    ['2026-12-22 13:00', '2026-12-23 02:00', '2026-12-23 02:00'],
    ['2026-12-22 13:00', '2026-12-23 09:56', '2026-12-23 13:00'],
    ['2026-12-22 13:00', '2026-12-23 14:00', '2026-12-23 14:00'],
    ['2026-12-31 22:00', '2026-12-31 22:01', '2027-01-01 13:00'],
  ])('of an attempt at %s that ended at %s, the next is at %s', (started, ended, next) => {
    expect(shown(retryAt(failed({ started_at: at(started), ended_at: at(ended) }), RULES))).toBe(next);
  });

  it.each([
    [1, true],
    [3, true],
    [4, false],
  ])('after attempt %i there is another one: %s', (number, another) => {
    expect(retryAt(failed({ number }), RULES) !== null).toBe(another);
  });

  it('are made for temporary failures only', () => {
    expect(PAYMENT_FAILURE_CODES.filter(retryHelps)).toEqual([
      'pg_timeout',
      'bank_downtime',
      'insufficient_funds',
      'upi_app_unavailable',
      'pg_server_error',
    ]);
    expect(retryAt(failed({ failure_code: 'mandate_cancelled' }), RULES)).toBeNull();
    expect(retryAt(failed({ failure_code: 'invalid_bank_account' }), RULES)).toBeNull();
  });

  it('given any attempt of a window, when it fails, then the next is in another window', () => {
    const minutes = fc.integer({ min: 0, max: 400 * 1440 });
    fc.assert(
      fc.property(minutes, fc.integer({ min: 0, max: 36 * 60 }), (start, took) => {
        const started_at = nextExecution(
          new Date(at('2026-01-01 00:00').getTime() + start * MINUTE_MS),
          RULES,
        );
        const ended_at = new Date(started_at.getTime() + took * MINUTE_MS);
        const next = retryAt(failed({ started_at, ended_at, first_started_at: started_at }), RULES);
        expect(next && isInWindow(next)).toBe(true);
        expect(next && next >= ended_at).toBe(true);
        // Between two windows there is a minute outside all windows.
        const between = next ? (next.getTime() - started_at.getTime()) / MINUTE_MS : 0;
        const closed = Array.from(
          { length: between },
          (_, minute) => new Date(started_at.getTime() + minute * MINUTE_MS),
        );
        expect(closed.some((minute) => !isInWindow(minute))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('e-mandates (DEB-12)', () => {
  const byDefault = (admitted_at: Date) => ({ admitted_at, first_on: null });

  it.each<['business_day' | 'calendar_day', string, string]>([
    // A Friday, and Thursday before Christmas.
    ['calendar_day', '2026-12-18 09:00', '2026-12-19 10:00'],
    ['calendar_day', '2026-12-24 12:00', '2026-12-25 10:00'],
    ['business_day', '2026-12-18 09:00', '2026-12-21 10:00'],
    ['business_day', '2026-12-24 12:00', '2026-12-28 10:00'],
  ])('of a tenant that chose %s, admitted at %s, debited at %s', (first_on, admitted, execution) => {
    const admitted_at = at(admitted);
    expect(shown(emandateExecution({ admitted_at, first_on }, admitted_at, RULES))).toBe(execution);
  });

  it.each([
    // Monday, then Thursday before Christmas and the weekend, a Friday, a Sunday, the end of February in a leap year.
    ['2026-12-21 23:59', '2026-12-22 10:00'],
    ['2026-12-22 00:00', '2026-12-23 10:00'],
    ['2026-12-24 12:00', '2026-12-28 10:00'],
    ['2026-12-18 09:00', '2026-12-21 10:00'],
    ['2026-12-20 09:00', '2026-12-21 10:00'],
    ['2028-02-28 09:00', '2028-02-29 10:00'],
    ['2028-02-29 09:00', '2028-03-01 10:00'],
  ])('admitted at %s, debited at %s', (admitted, execution) => {
    expect(shown(emandateExecution(byDefault(at(admitted)), at(admitted), RULES))).toBe(execution);
  });

  it.each([
    ['2026-12-22 09:59', '2026-12-22 10:00'],
    ['2026-12-22 10:00', '2026-12-22 10:00'],
    ['2026-12-22 10:01', '2026-12-22 10:01'],
    ['2026-12-23 03:00', '2026-12-23 10:00'],
    ['2026-12-25 12:00', '2026-12-28 10:00'],
  ])('admitted on Monday and ready at %s, debited at %s', (now, execution) => {
    expect(shown(emandateExecution(byDefault(at('2026-12-21 12:00')), at(now), RULES))).toBe(execution);
  });

  it('given another holiday list, when it is debited, then it is on a business day of that list', () => {
    const holidays = new Map([[2026, new Set(['2026-12-22'])]]);
    const monday = at('2026-12-21 12:00');
    const debited = (first_on: 'calendar_day' | null) =>
      shown(emandateExecution({ admitted_at: monday, first_on }, monday, { ...RULES, holidays }));
    expect(debited(null)).toBe('2026-12-23 10:00');
    expect(debited('calendar_day')).toBe('2026-12-22 10:00');
  });

  it('given any admission, when it is debited, then it is on a later business day, not before 10:00', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 700 * 1440 }),
        fc.integer({ min: 0, max: 9 * 1440 }),
        (minutes, late) => {
          const admitted = new Date(at('2026-01-01 00:00').getTime() + minutes * MINUTE_MS);
          const execution = emandateExecution(
            byDefault(admitted),
            new Date(admitted.getTime() + late * MINUTE_MS),
            RULES,
          );
          expect(istDate(execution) > istDate(admitted)).toBe(true);
          expect(isBusinessDay(istDate(execution), SEEDED_HOLIDAYS)).toBe(true);
          expect(istTimestamp(execution).slice(11, 16) >= '10:00').toBe(true);
        },
      ),
    );
  });

  const failed = (number: number, started: string, ended: string): FailedAttempt => ({
    mandate_type: 'E_MANDATE',
    number,
    failure_code: 'insufficient_funds',
    started_at: at(started),
    ended_at: at(ended),
    first_started_at: at('2026-12-24 10:00'),
  });
  it.each([
    // Two calendar days of retries, holidays or not.
    [1, '2026-12-24 10:00', '2026-12-24 23:59', '2026-12-25 10:00'],
    [1, '2026-12-24 10:00', '2026-12-25 00:00', '2026-12-25 10:00'],
    [1, '2026-12-24 10:00', '2026-12-25 15:00', '2026-12-25 15:00'],
    [2, '2026-12-25 10:00', '2026-12-25 11:00', '2026-12-26 10:00'],
    [2, '2026-12-25 10:00', '2026-12-26 23:59', '2026-12-26 23:59'],
    [2, '2026-12-25 10:00', '2026-12-27 00:00', null],
    [3, '2026-12-26 10:00', '2026-12-26 10:01', null],
  ])('attempt %i of %s that ended at %s is followed at %s', (number, started, ended, next) => {
    expect(shown(retryAt(failed(number, started, ended), RULES))).toBe(next);
    expect(addDays('2026-12-24', RULES.emandateRetryDays)).toBe('2026-12-26');
  });
});

describe('a result', () => {
  it.each([
    [36 * 60 - 1, false],
    [36 * 60, false],
    [36 * 60 + 1, true],
  ])('%i minutes after the attempt is overdue: %s', (minutes, overdue) => {
    const started = at('2026-12-22 13:00');
    expect(isResultOverdue(started, new Date(started.getTime() + minutes * MINUTE_MS), RULES)).toBe(overdue);
  });
});
