import { ApiError } from '@fundrail/contracts';
import { KeptFor } from './kept-for.ts';

describe('an answer that is kept', () => {
  const down = () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE'));
  const gone = () => Promise.reject(new ApiError('NOT_FOUND'));
  const answers = (value: string) => () => Promise.resolve(value);

  it('is given again without asking, and shared while it is asked for', async () => {
    const kept = new KeptFor<string>(60_000, 10);
    expect(await Promise.all([kept.get('a', answers('one')), kept.get('a', down)])).toEqual(['one', 'one']);
    expect(await kept.get('a', down)).toBe('one');
  });

  it('given that its time is over, when its source is down, then it stands in, and a newer one takes its place', async () => {
    const kept = new KeptFor<string>(0, 10, 60_000);
    await kept.get('a', answers('one'));
    expect([await kept.get('a', down), await kept.get('a', down)]).toEqual(['one', 'one']);
    expect(await kept.get('a', answers('two'))).toBe('two');
    expect(await kept.get('a', down)).toBe('two');
  });

  it('does not stand in for a refusal, nor for what was never known, nor after its last time', async () => {
    const kept = new KeptFor<string>(0, 10, 60_000);
    await kept.get('a', answers('one'));
    await expect(kept.get('a', gone)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(kept.get('b', down)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const brief = new KeptFor<string>(0, 10);
    await brief.get('a', answers('one'));
    await expect(brief.get('a', down)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
