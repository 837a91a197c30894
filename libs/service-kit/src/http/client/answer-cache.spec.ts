import { ApiError } from '@fundrail/contracts';
import { AnswerCache } from './answer-cache.ts';

describe('a cached answer', () => {
  const down = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE'));
  const gone = () => Promise.reject(new ApiError('NOT_FOUND'));
  const answers = (value: string) => () => Promise.resolve(value);

  it('is returned without another request, and concurrent callers share one request', async () => {
    const cache = new AnswerCache<string>(60_000, 10);
    expect(await Promise.all([cache.get('a', answers('one')), cache.get('a', down)])).toEqual(['one', 'one']);
    expect(await cache.get('a', down)).toBe('one');
  });

  it('given that it has expired, when its source is down, then it is still returned until a newer one replaces it', async () => {
    const cache = new AnswerCache<string>(0, 10, 60_000);
    await cache.get('a', answers('one'));
    expect([await cache.get('a', down), await cache.get('a', down)]).toEqual(['one', 'one']);
    expect(await cache.get('a', answers('two'))).toBe('two');
    expect(await cache.get('a', down)).toBe('two');
  });

  it('is not used when its source refuses, for an unknown key, or after its stale time is over', async () => {
    const cache = new AnswerCache<string>(0, 10, 60_000);
    await cache.get('a', answers('one'));
    await expect(cache.get('a', gone)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(cache.get('b', down)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const brief = new AnswerCache<string>(0, 10);
    await brief.get('a', answers('one'));
    await expect(brief.get('a', down)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
