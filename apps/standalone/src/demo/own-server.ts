import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const READY = /^fundrail is ready on (\S+)$/;

/** A product to play against. `stop` ends what was started for the demo, and only that. */
export interface Server {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** The one that answers at `baseUrl`, or one of our own on a free port with a temporary folder. */
export async function findServer(baseUrl: string): Promise<Server> {
  const response = await fetch(`${baseUrl}/health/ready`).catch(() => null);
  if (response?.ok) return { baseUrl, stop: () => Promise.resolve() };
  return startOwn();
}

/** A product in a process of its own, from the build beside this file. */
export async function startOwn(): Promise<Server> {
  const directory = await mkdtemp(join(tmpdir(), 'fundrail-demo-'));
  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: directory,
    PUBLIC_BASE_URL: '',
    DATABASE_URL: '',
  };
  const main = fileURLToPath(new URL('../main.js', import.meta.url));
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(directory, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [, baseUrl] = READY.exec(line) ?? [];
    if (baseUrl) {
      child.stdout.resume();
      return { baseUrl, stop };
    }
  }
  await stop();
  throw new Error('fundrail did not start');
}
