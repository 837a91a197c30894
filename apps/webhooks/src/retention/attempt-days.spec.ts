import { daysOver, missingDays } from './attempt-days.ts';

const NOW = new Date('2026-11-22T18:45:00Z');
const day = (date: string) => ({
  name: date,
  starts: new Date(`${date}T00:00:00Z`),
  ends: new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000),
});
const rest = { name: 'other', starts: null, ends: null };
const before = { name: 'before', starts: null, ends: new Date('2026-11-23T00:00:00Z') };

describe('the days of attempts', () => {
  it('are created from today on, a week ahead, beside the default partition', () => {
    const missing = missingDays([rest], NOW);
    expect(missing.map(({ name }) => name)).toEqual(
      [22, 23, 24, 25, 26, 27, 28, 29].map((date) => `delivery_attempts_202611${date}`),
    );
    expect(missing[0]).toMatchObject({
      starts: new Date('2026-11-22T00:00:00Z'),
      ends: new Date('2026-11-23T00:00:00Z'),
    });
  });

  it('are not created where a partition exists, or where the old attempts are', () => {
    const missing = missingDays([before, day('2026-11-25'), rest], NOW);
    expect(missing.map(({ name }) => name.slice(-2))).toEqual(['23', '24', '26', '27', '28', '29']);
  });

  it('are over after their last moment', () => {
    const all = [before, day('2026-11-23'), day('2026-11-24'), rest];
    expect(daysOver(all, new Date('2026-11-24T00:00:00Z')).map(({ name }) => name)).toEqual([
      'before',
      '2026-11-23',
    ]);
    expect(daysOver(all, new Date('2026-11-22T23:59:59Z'))).toEqual([]);
  });
});
