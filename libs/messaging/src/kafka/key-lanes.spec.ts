import { KeyLanes } from './key-lanes.ts';

/** Work that ends when the test says so. */
function held(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const work = async () => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
  };
  return { work, end: () => resolve(undefined), fail: () => reject(new Error(name)) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the lanes of keys', () => {
  it('run one work of a key at a time, in order, and other keys meanwhile', async () => {
    const lanes = new KeyLanes();
    const log: string[] = [];
    const [first, second, other] = [held(log, 'first'), held(log, 'second'), held(log, 'other')];

    const all = [lanes.run('a', first.work), lanes.run('a', second.work), lanes.run('b', other.work)];
    await turn();
    expect(log).toEqual(['first begins', 'other begins']);

    for (const { end } of [other, first, second]) end();
    await Promise.all(all);
    expect(log.slice(2)).toEqual(['other ends', 'first ends', 'second begins', 'second ends']);
  });

  it('report a failure to its caller, and continue', async () => {
    const lanes = new KeyLanes();
    const log: string[] = [];
    const [first, second] = [held(log, 'first'), held(log, 'second')];
    const failing = lanes.run('a', first.work);
    const next = lanes.run('a', second.work);

    first.fail();
    second.end();

    await expect(failing).rejects.toThrow('first');
    await next;
    expect(log).toEqual(['first begins', 'second begins', 'second ends']);
  });

  it('are idle when the last work has ended, including work added while waiting', async () => {
    const lanes = new KeyLanes();
    const log: string[] = [];
    const [first, second] = [held(log, 'first'), held(log, 'second')];
    void lanes.run('a', first.work);

    const idle = lanes.idle().then(() => log.push('idle'));
    void lanes.run('a', second.work);
    first.end();
    await turn();
    second.end();

    await idle;
    expect(log.at(-1)).toBe('idle');
    expect(log).toContain('second ends');
  });
});
