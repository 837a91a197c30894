import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataDirInUse, lockDataDir } from './data-dir-lock.ts';

describe('the lock of a DATA_DIR', () => {
  let dataDir: string;
  beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'fundrail-lock-'))));
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('is refused while its holder runs, and the refusal names the process', async () => {
    await lockDataDir(dataDir);
    await expect(lockDataDir(dataDir)).rejects.toThrow(DataDirInUse);
    await expect(lockDataDir(dataDir)).rejects.toThrow(`process ${process.pid}`);
  });

  it('can be taken again after it was released', async () => {
    const release = await lockDataDir(dataDir);
    await release();
    await expect(lockDataDir(dataDir)).resolves.toBeInstanceOf(Function);
  });

  it('is taken over from a process that is gone, though another one has its number now', async () => {
    await writeFile(join(dataDir, 'fundrail.lock'), `${process.pid} 1`);
    await lockDataDir(dataDir);
    expect(await readFile(join(dataDir, 'fundrail.lock'), 'utf8')).not.toBe(`${process.pid} 1`);
  });

  it.each(['', 'nonsense', '4194305 77'])('is taken over when it contains %j', async (left) => {
    await writeFile(join(dataDir, 'fundrail.lock'), left);
    await expect(lockDataDir(dataDir)).resolves.toBeInstanceOf(Function);
  });

  it('creates the folder when there is none', async () => {
    await expect(lockDataDir(join(dataDir, 'deep', 'er'))).resolves.toBeInstanceOf(Function);
  });
});
