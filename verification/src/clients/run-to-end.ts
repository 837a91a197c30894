import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** An installation from a registry is the longest of them. */
const LIMIT_MS = 240_000;

interface HowToRun {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs shell commands and returns what they print. Rejects with all of it when a command fails, or after four minutes; they and
 * what they started are ended then.
 */
export async function runToEnd(script: string, { cwd, env = {} }: HowToRun): Promise<string> {
  // A group of its own, so that what the shell starts can be ended with it.
  const child = spawn('sh', ['-euc', script], {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const limit = { isOver: false };
  const timer = setTimeout(() => {
    limit.isOver = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, LIMIT_MS);
  const [printed, complaints, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve)),
  ]).finally(() => clearTimeout(timer));
  if (code === 0) return printed;
  const why = limit.isOver ? `were not done within ${LIMIT_MS / 1000} s` : `ended with ${code ?? 'a signal'}`;
  throw new Error(`These commands ${why}:\n${script}\n${printed}${complaints}`);
}
