import { parseRetryAfter, pauseAfter, RETRY_PAUSES_MS } from './retry-table.ts';

describe('the retry table', () => {
  it('makes ten attempts in 75.6 hours', () => {
    expect(RETRY_PAUSES_MS).toHaveLength(9);
    const hours = RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    expect(hours).toBeCloseTo(75.585, 2);
  });

  it.each([
    [1, 0, 4_500],
    [1, 0.5, 5_000],
    [1, 0.999999, 5_500],
    [2, 0.5, 300_000],
    [9, 0.5, 86_400_000],
  ])('pauses after failure %i, with the random number %d, for %i ms', (tries, random, pause) => {
    expect(pauseAfter(tries, null, random)).toBe(pause);
  });

  it('ends after the tenth attempt, even if the endpoint requests a retry', () => {
    expect(pauseAfter(10, 1_000, 0.5)).toBeNull();
  });

  it.each([
    ['longer', 60_000, 60_000],
    ['not shorter', 1_000, 5_000],
  ])('is made %s by Retry-After', (_case, retryAfter, pause) => {
    expect(pauseAfter(1, retryAfter, 0.5)).toBe(pause);
  });
});

describe('Retry-After', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  it.each([
    ['120', 120_000],
    ['Sat, 21 Nov 2026 10:02:00 GMT', 120_000],
    ['Saturday, 21-Nov-26 10:02:00 GMT', 120_000],
    ['Sat Nov 21 10:02:00 2026', 120_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['99999999999999999999', 86_400_000],
    ['Sat, 21 Nov 2099 10:02:00 GMT', 86_400_000],
    ['Sat, 99 Nov 2026 10:02:00 GMT', null],
    ['2026-11-21T10:02:00Z', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    [null, null],
  ])('%s is %s ms', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
