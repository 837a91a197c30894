import { SharedAnswer } from './shared-answer.ts';

describe('an answer that is shared', () => {
  let calls: number;
  let now: number;
  let fails: boolean;
  let shared: SharedAnswer<number>;
  beforeEach(() => {
    [calls, now, fails] = [0, 0, false];
    const ask = () => {
      calls += 1;
      return fails ? Promise.reject(new Error('no answer')) : Promise.resolve(calls);
    };
    shared = new SharedAnswer(ask, 3_000, () => now);
  });

  it('is read once for all callers at the same time', async () => {
    expect(await Promise.all([shared.get(), shared.get(), shared.get()])).toEqual([1, 1, 1]);
  });

  it('is kept for its time, and then read again', async () => {
    await shared.get();
    now = 2_999;
    expect(await shared.get()).toBe(1);
    now = 3_000;
    expect(await shared.get()).toBe(2);
  });

  it('is not kept when it is a failure, which all waiting callers receive', async () => {
    fails = true;
    const outcomes = await Promise.allSettled([shared.get(), shared.get()]);
    expect([outcomes.map(({ status }) => status), calls]).toEqual([['rejected', 'rejected'], 1]);
    fails = false;
    expect(await shared.get()).toBe(2);
  });
});
