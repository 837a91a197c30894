import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Milliseconds for a fast shutdown (it writes a checkpoint) before the immediate one, which the next start recovers from. */
const FAST_SHUTDOWN_MS = 5_000;

/** The facts about a server in `postmaster.pid`. */
interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Line 1 is the process id, line 4 the port, line 8 the status. Null when there is no such file. */
export async function readPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Ends the server that a killed process of ours left running on `cluster`. Call only while holding the folder's lock. Another
 * process with the same id keeps running; then only the stale file is deleted, which would stop the start.
 */
export async function endLeftOverServer(cluster: string): Promise<void> {
  const found = await readPostmaster(cluster);
  if (!found || !isAlive(found.pid)) return;
  if (await isServerOf(found.pid, cluster)) await endServer(found.pid);
  else await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** Fast shutdown, then the immediate one. Resolves when the process has ended; throws when it does not end. */
export async function endServer(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (isAlive(pid)) process.kill(pid, signal);
    const end = Date.now() + FAST_SHUTDOWN_MS;
    while (isAlive(pid) && Date.now() < end) await pause(20);
    if (!isAlive(pid)) return;
  }
  throw new Error(`the database server (process ${pid}) does not end`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  const command = await commandOf(pid);
  return command.includes('postgres') && command.includes(cluster);
}

async function commandOf(pid: number): Promise<string> {
  const onLinux = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null);
  if (onLinux !== null) return onLinux.replaceAll('\0', ' ');
  const { stdout } = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return stdout;
}
