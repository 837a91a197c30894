import { setSizes, SIZES } from './sizes.ts';

const sized = (env: Record<string, string | undefined>) => {
  setSizes(env);
  return env;
};

describe('the sizes of what is random', () => {
  it('are short by default, long on demand, and give way to a variable', () => {
    const { short, long } = SIZES.CRASH_KILLS;
    expect(short).toBeLessThan(long);
    expect(sized({})['CRASH_KILLS']).toBe(String(short));
    expect(sized({ TEST_SIZE: 'long' })['CRASH_KILLS']).toBe(String(long));
    expect(sized({ TEST_SIZE: 'long', CRASH_KILLS: '500' })['CRASH_KILLS']).toBe('500');
  });
});
