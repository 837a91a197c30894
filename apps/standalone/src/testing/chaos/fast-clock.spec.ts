import { FastClock } from './fast-clock.ts';

describe('the fast clock', () => {
  it('tells of a move that did not reach every database: what reached the others has made them older', async () => {
    const clock = new FastClock({ everywhere: () => Promise.reject(new Error('one is down')) });
    await expect(clock.begin()).rejects.toThrow('one is down');
    expect(clock.moves).toEqual([{ at: expect.any(Number), aheadMs: expect.any(Number) }]);
  });
});
