import { istInstant, SEEDED_HOLIDAYS, type SchemeCategory } from '@fundrail/contracts';
import { expectedNavDate } from './judge.ts';

/** In India: a time such as `Thu 14:59`, one millisecond after it with `+`, one before it with `-`. */
type Moment = string;

// Of November 2026: Tuesday 10 is a holiday.
const DAYS: Readonly<Record<string, string>> = {
  'Wed 4': '2026-11-04',
  'Thu 5': '2026-11-05',
  'Fri 6': '2026-11-06',
  'Sat 7': '2026-11-07',
  'Sun 8': '2026-11-08',
  'Mon 9': '2026-11-09',
  'Tue 10': '2026-11-10',
  'Wed 11': '2026-11-11',
  'Thu 12': '2026-11-12',
};

function instant(moment: Moment): Date {
  const [, day = '', time = '', shift = ''] = /^(\w+ \d+) (\d\d:\d\d)([+-]?)$/.exec(moment) ?? [];
  const date = DAYS[day];
  if (!date) throw new Error(moment);
  return new Date(istInstant(date, time).getTime() + { '+': 1, '-': -1, '': 0 }[shift as '+' | '-' | '']);
}

function nameOf(date: string | null): string {
  return Object.keys(DAYS).find((name) => DAYS[name] === date) ?? `another day: ${String(date)}`;
}

/** Money that has reached the scheme. */
const reached = (moment: Moment) => ({ at: instant(moment), by: null });

describe('the day whose NAV an order gets (ORD-36)', () => {
  it.each<[why: string, category: SchemeCategory, accepted: Moment, funds: Moment, expected: string]>([
    ['both in the morning', 'other', 'Thu 5 10:00', 'Thu 5 11:00', 'Thu 5'],
    ['the order one millisecond before 15:00', 'other', 'Thu 5 15:00-', 'Thu 5 10:00', 'Thu 5'],
    ['the order at 15:00', 'other', 'Thu 5 15:00', 'Thu 5 10:00', 'Thu 5'],
    ['the order one millisecond after 15:00', 'other', 'Thu 5 15:00+', 'Thu 5 10:00', 'Fri 6'],
    ['the money one millisecond before 15:00', 'other', 'Thu 5 10:00', 'Thu 5 15:00-', 'Thu 5'],
    ['the money at 15:00', 'other', 'Thu 5 10:00', 'Thu 5 15:00', 'Thu 5'],
    ['the money one millisecond after 15:00', 'other', 'Thu 5 10:00', 'Thu 5 15:00+', 'Fri 6'],
    ['the money a day later', 'other', 'Thu 5 10:00', 'Fri 6 10:00', 'Fri 6'],
    ['the money a day later, after 15:00, before a weekend', 'other', 'Thu 5 10:00', 'Fri 6 16:00', 'Mon 9'],
    ['the order after the money', 'other', 'Fri 6 10:00', 'Thu 5 10:00', 'Fri 6'],
    ['both on Friday after 15:00', 'other', 'Fri 6 15:30', 'Fri 6 15:31', 'Mon 9'],
    ['both on Saturday', 'other', 'Sat 7 10:00', 'Sat 7 10:01', 'Mon 9'],
    ['both on Sunday at midnight', 'other', 'Sun 8 00:00', 'Sun 8 00:00', 'Mon 9'],
    ['after 15:00 on the day before a holiday', 'other', 'Mon 9 15:00+', 'Mon 9 10:00', 'Wed 11'],
    ['both on a holiday', 'other', 'Tue 10 10:00', 'Tue 10 10:01', 'Wed 11'],
    [
      'ordered on a holiday, paid after 15:00 of the next day',
      'other',
      'Tue 10 10:00',
      'Wed 11 15:01',
      'Thu 12',
    ],
    ['both in the morning', 'liquid', 'Thu 5 10:00', 'Thu 5 11:00', 'Wed 4'],
    ['the money at 13:30', 'liquid', 'Fri 6 10:00', 'Fri 6 13:30', 'Thu 5'],
    ['the money one millisecond before 13:30', 'liquid', 'Fri 6 10:00', 'Fri 6 13:30-', 'Thu 5'],
    [
      'the money one millisecond after 13:30, before a weekend',
      'liquid',
      'Fri 6 10:00',
      'Fri 6 13:30+',
      'Sun 8',
    ],
    [
      'the order one millisecond after 13:30, before a weekend',
      'liquid',
      'Fri 6 13:30+',
      'Fri 6 10:00',
      'Sun 8',
    ],
    ['both on Saturday', 'overnight', 'Sat 7 10:00', 'Sat 7 10:01', 'Sun 8'],
    ['both on Monday in the morning', 'overnight', 'Mon 9 10:00', 'Mon 9 11:00', 'Sun 8'],
    [
      'the money one millisecond after 13:30, before a holiday',
      'overnight',
      'Mon 9 10:00',
      'Mon 9 13:30+',
      'Tue 10',
    ],
    ['the money two days later, over a holiday', 'liquid', 'Mon 9 10:00', 'Wed 11 13:30', 'Tue 10'],
  ])(
    'given a purchase, %s (%s), accepted %s, money at the scheme %s: %s',
    (_, category, accepted, funds, expected) => {
      const day = expectedNavDate(
        { category, accepted: instant(accepted), funds: reached(funds) },
        SEEDED_HOLIDAYS,
      );
      expect(nameOf(day)).toBe(expected);
    },
  );

  it.each<[why: string, category: SchemeCategory, accepted: Moment, expected: string]>([
    ['at 15:00', 'other', 'Thu 5 15:00', 'Thu 5'],
    ['one millisecond after 15:00', 'other', 'Thu 5 15:00+', 'Fri 6'],
    ['on Friday after 15:00', 'other', 'Fri 6 15:01', 'Mon 9'],
    ['on a holiday', 'other', 'Tue 10 09:00', 'Wed 11'],
    ['at 15:00', 'liquid', 'Thu 5 15:00', 'Thu 5'],
    ['one millisecond after 15:00', 'liquid', 'Thu 5 15:00+', 'Fri 6'],
    ['on Friday at 15:00: the Sunday before the next business day', 'liquid', 'Fri 6 15:00', 'Sun 8'],
    ['on Friday after 15:00', 'liquid', 'Fri 6 15:00+', 'Mon 9'],
    ['in time before a holiday', 'liquid', 'Mon 9 15:00-', 'Tue 10'],
    ['late before a holiday', 'liquid', 'Mon 9 15:00+', 'Wed 11'],
    ['on Saturday in the morning', 'liquid', 'Sat 7 09:00', 'Mon 9'],
    ['at 19:00', 'overnight', 'Thu 5 19:00', 'Thu 5'],
    ['one millisecond after 19:00', 'overnight', 'Thu 5 19:00+', 'Fri 6'],
    ['on Friday at 18:00', 'overnight', 'Fri 6 18:00', 'Sun 8'],
    ['on a holiday at 10:00', 'overnight', 'Tue 10 10:00', 'Wed 11'],
  ])('given a redemption, %s (%s), accepted %s: %s', (_, category, accepted, expected) => {
    const order = { category, accepted: instant(accepted), funds: null };
    expect(nameOf(expectedNavDate(order, SEEDED_HOLIDAYS))).toBe(expected);
  });

  it.each<[why: string, category: SchemeCategory, received: Moment, by: string, expected: string]>([
    ['money with us at 14:45', 'other', 'Thu 5 14:45', '14:45', 'Thu 5'],
    ['money with us one millisecond later', 'other', 'Thu 5 14:45+', '14:45', 'Fri 6'],
    ['money with us after the cut-off, which is before that time', 'other', 'Thu 5 15:00+', '15:30', 'Fri 6'],
    ['money with us at 13:15', 'liquid', 'Fri 6 13:15', '13:15', 'Thu 5'],
    ['money with us one millisecond later', 'liquid', 'Fri 6 13:15+', '13:15', 'Sun 8'],
  ])('given an estimate, %s (%s), received %s and due by %s: %s', (_, category, received, by, expected) => {
    const order = { category, accepted: instant(received), funds: { at: instant(received), by } };
    expect(nameOf(expectedNavDate(order, SEEDED_HOLIDAYS))).toBe(expected);
  });

  it('given a redemption of an overnight scheme before 1 June 2025, then 15:00 was its cut-off', () => {
    const on = (date: string) =>
      expectedNavDate(
        { category: 'overnight', accepted: istInstant(date, '18:00'), funds: null },
        SEEDED_HOLIDAYS,
      );
    expect([on('2025-05-30'), on('2025-06-06')]).toEqual(['2025-06-02', '2025-06-08']);
  });
});
