import { clockTimeOf, dayOf, momentOf, timeOf } from './page-time.ts';

const at = new Date('2026-11-23T10:35:00.000Z');

describe('the times of the checkout pages, in Indian time', () => {
  it('given an instant, then it is shown as a 12-hour time', () => {
    expect(timeOf(at, 'en')).toBe('4:05 pm');
    expect(timeOf(new Date('2026-11-22T18:30:00.000Z'), 'en')).toBe('12:00 am');
    expect(timeOf(at, 'hi')).toBe('4:05 pm');
    expect(momentOf(at, 'en')).toBe('23 Nov 2026, 4:05 pm');
  });

  it('given a date or a time of the configuration, then it is shown the same way', () => {
    expect(dayOf('2026-12-02', 'en')).toBe('2 Dec 2026');
    expect(dayOf('2026-12-02', 'hi')).toMatch(/^2 \S+ 2026$/);
    expect(clockTimeOf('10:00', 'en')).toBe('10:00 am');
  });
});
