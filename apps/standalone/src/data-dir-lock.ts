import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Another running fundrail uses the folder. The message is one line. */
export class DataDirInUse extends Error {}

/**
 * Locks the folder for this process and returns a function that releases it. The lock of a killed process is taken over: a lock
 * names its process by number and start time, because numbers are reused (in a container at every start).
 * Two starts at the same instant after a kill could both take it over; PostgreSQL itself then refuses the second.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true });
  const file = join(dataDir, 'fundrail.lock');
  const own = `${process.pid} ${await startedAt(process.pid)}`;
  if (!(await writeNew(file, own))) {
    const holder = await readFile(file, 'utf8').catch(() => '');
    if (await isRunning(holder)) {
      throw new DataDirInUse(
        `another fundrail (process ${holder.split(' ')[0]}) is running on DATA_DIR ${dataDir}`,
      );
    }
    await rm(file, { force: true });
    if (!(await writeNew(file, own)))
      throw new DataDirInUse(`another fundrail is starting on DATA_DIR ${dataDir}`);
  }
  return () => rm(file, { force: true });
}

async function writeNew(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isRunning(holder: string): Promise<boolean> {
  const pid = Number(holder.split(' ')[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const started = await startedAt(pid);
  return started !== '' && holder === `${pid} ${started}`;
}

/** When a process was started, in the system's own format; empty when there is no such process. */
async function startedAt(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The 22nd field; the second is the program's name in parentheses and may hold spaces.
  if (stat !== null) return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout.trim();
}
