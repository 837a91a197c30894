import { BadEnvironment } from './environment.ts';
import { withPresentNames } from './renamed-variables.ts';

describe('variables that were renamed', () => {
  const read = (env: Record<string, string>) => {
    const warned: unknown[] = [];
    const read = withPresentNames(env, { warn: (_fact, fields) => void warned.push(fields) });
    return { read, warned };
  };

  it.each(['DATABASE_URL', 'URL', 'GENERATION_BATCH'])('are read as SWP_%s, with a warning', (what) => {
    const { read: names, warned } = read({ [`SWP_${what}`]: 'x', PORT: '1' });
    expect(names).toMatchObject({ [`PLANS_${what}`]: 'x', PORT: '1' });
    expect(warned).toEqual([{ former: `SWP_${what}`, name: `PLANS_${what}` }]);
  });

  it('may have one value under both names', () => {
    const { read: names, warned } = read({ SWP_URL: 'x', PLANS_URL: 'x' });
    expect(names['PLANS_URL']).toBe('x');
    expect(warned).toHaveLength(1);
  });

  it('end the start when they have two', () => {
    const two = () => read({ SWP_URL: 'x', PLANS_URL: 'y' });
    expect(two).toThrow(BadEnvironment);
    expect(two).toThrow('PLANS_URL must be the same as SWP_URL, its former name, or stand alone');
  });

  it.each([
    { PLANS_URL: 'x', SWP_URL: '' },
    // What Kubernetes sets for the Services of both names.
    { SWP_PORT: 'tcp://10.0.0.1:3000', PLANS_PORT: 'tcp://10.0.0.2:3000' },
  ])('are not looked for among others: %j', (env) => {
    expect(read(env)).toEqual({ read: env, warned: [] });
  });
});
