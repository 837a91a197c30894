import { tmpdir } from 'node:os';
import { dataFolder } from './data-folder.ts';

describe('the folder for data of servers of tests', () => {
  it('is in memory where four gigabytes are free, and else the usual one', async () => {
    expect(await dataFolder(() => Promise.resolve(4 * 1024 ** 3))).toBe('/dev/shm');
    expect(await dataFolder(() => Promise.resolve(4 * 1024 ** 3 - 1))).toBe(tmpdir());
    expect(await dataFolder(() => Promise.resolve(0))).toBe(tmpdir());
  });
});
