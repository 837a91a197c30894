import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { patientFetch } from './patient-fetch.ts';

const READY = /^fundrail is ready on (\S+)$/;

/** A product to play against. `stop` ends what was started for the demo, and only that. */
export interface Server {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Where a product listens that was told nothing else. */
const USUAL = 'http://127.0.0.1:3000';

/**
 * The product at `given`, waited for while it starts. Where none is given, the one at the usual address, or one of our own on a
 * free port with a temporary folder, which is told. Throws when the given one is not ready within a minute: a demo against
 * another product than the one that was meant proves nothing.
 */
export async function findServer(given: string | null): Promise<Server> {
  const stop = () => Promise.resolve();
  if (given !== null) {
    const ready = await patientFetch(`${given}/health/ready`, {}).catch(() => null);
    if (!ready?.ok) throw new Error(`nothing at ${given} is ready`);
    return { baseUrl: given, stop };
  }
  const response = await fetch(`${USUAL}/health/ready`).catch(() => null);
  if (response?.ok) return { baseUrl: USUAL, stop };
  console.log(
    `Nothing is ready at ${USUAL}, so a product is started for this demo alone. BASE_URL names another.`,
  );
  return startOwn();
}

/** A product in a process of its own, from the build beside this file. It ends, and its folder, also when the demo is interrupted. */
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
  const end = async () => {
    child.kill('SIGTERM');
    await exited;
    // A product whose stop was cut short leaves a PostgreSQL that is still writing its last files.
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  // Who loses the reader also fails in the walk, and both stop: two who empty the folder at once fail over each other.
  let ending: Promise<void> | undefined;
  const stop = () => (ending ??= end());
  const leave = (code: number) => void stop().finally(() => process.exit(code));
  // Each of them may come again while the product ends, and unheard would end the process with the folder still there.
  process.on('SIGINT', () => leave(130)).on('SIGTERM', () => leave(143));
  // Whoever reads the demo may stop reading (`npm run demo | head`): each line from then on fails, until the walk does.
  process.stdout.on('error', () => leave(1));
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
