import { jest } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { within } from './within.ts';

const LONG_MS = 60_000;

describe('within', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const untilAborted = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it.each([
    ['answers', () => Promise.resolve('done')],
    ['throws', () => Promise.reject(new Error('no'))],
  ])('given the work %s in time, then neither its timer nor its listener is left', async (_, work) => {
    const stop = new AbortController().signal;
    const before = timers();
    const during: number[][] = [];
    await within(LONG_MS, stop, () => {
      during.push([timers() - before, getEventListeners(stop, 'abort').length]);
      return work();
    }).catch(() => undefined);
    expect(during).toEqual([[1, 1]]);
    expect([timers() - before, getEventListeners(stop, 'abort').length]).toEqual([0, 0]);
  });

  it('given work that takes too long, then its signal aborts with a time-out', async () => {
    const { signal } = new AbortController();
    await expect(within(1, signal, untilAborted)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('given a stop, then the work receives its reason; after a stop, no work starts', async () => {
    const stop = new AbortController();
    const work = jest.fn(untilAborted);
    const running = within(LONG_MS, stop.signal, work);
    stop.abort(new Error('given up'));
    await expect(running).rejects.toThrow('given up');
    await expect(within(LONG_MS, stop.signal, work)).rejects.toThrow('given up');
    expect(work).toHaveBeenCalledTimes(1);
  });
});
