import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setSizes, sizeOf, SIZES } from './sizes.ts';

const sized = (env: Record<string, string | undefined>) => {
  setSizes(env);
  return env;
};

describe('the sizes of what is exhaustive, random or long', () => {
  it('are short by default, long on demand, and give way to a variable', () => {
    const { short, long } = SIZES.CRASH_KILLS;
    expect(short).toBeLessThan(long);
    expect(sized({})['CRASH_KILLS']).toBe(String(short));
    expect(sized({ TEST_SIZE: 'long' })['CRASH_KILLS']).toBe(String(long));
    expect(sized({ TEST_SIZE: 'long', CRASH_KILLS: '500' })['CRASH_KILLS']).toBe('500');
  });

  it('are long in CI, where TEST_SIZE does not say otherwise', () => {
    expect(sized({ CI: 'true' })['CRASH_POINTS']).toBe('all');
    expect(sized({ CI: 'false' })['CRASH_POINTS']).toBe('sample');
    expect(sizeOf({ CI: 'true', TEST_SIZE: 'short' })).toBe('short');
  });

  it('are long in npm run test:long, which does more of what is random than CI', () => {
    const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> };
    const set = [...(scripts['test:long'] ?? '').matchAll(/(\w+)=(\w+)/g)].map(([, name = '', value]) => [
      name,
      value,
    ]);
    expect(set).toContainEqual(['TEST_SIZE', 'long']);
    const numbers = Object.fromEntries(set.filter(([name]) => name !== 'TEST_SIZE')) as Record<
      string,
      string
    >;
    const more = Object.entries(SIZES).filter(([name, { long }]) => Number(numbers[name]) > Number(long));
    expect(more.map(([name]) => name).sort()).toEqual(Object.keys(numbers).sort());
  });

  it.each(Object.entries(SIZES))('%s is less at the short size', (_name, { short, long }) => {
    if (typeof short === 'number') expect(short).toBeLessThan(Number(long));
    else expect([short, long]).toEqual([expect.not.stringMatching('all'), 'all']);
  });
});
