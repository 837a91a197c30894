import { PollPace } from './poll-pace.ts';

describe('the pace of polls', () => {
  const ticks = (pace: PollPace, fromMs: number, count: number) =>
    Array.from({ length: count }, (_, at) => pace.polls(fromMs + at * 250));

  it('is every fourth tick as long as there is no work', () => {
    expect(ticks(new PollPace(), 0, 8)).toEqual([false, false, false, true, false, false, false, true]);
  });

  it('is each tick for ten seconds after work', () => {
    const pace = new PollPace();
    pace.noteWork(1_000);
    expect(ticks(pace, 1_250, 4)).toEqual([true, true, true, true]);
    expect(pace.polls(10_999)).toBe(true);
    expect(ticks(pace, 11_000, 4)).toEqual([false, false, false, true]);
  });

  it('is each tick again at once when work comes', () => {
    const pace = new PollPace();
    expect(ticks(pace, 0, 2)).toEqual([false, false]);
    pace.noteWork(500);
    expect(pace.polls(500)).toBe(true);
  });
});
