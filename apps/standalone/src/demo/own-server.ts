import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { patientFetch } from './patient-fetch.ts';

const READY = /^fundrail is ready on (\S+)$/;

/** A product to play against. `stop` ends only what was started for the demo. */
export interface Server {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** The default address of the product. */
const USUAL = 'http://127.0.0.1:3000';

/**
 * The product at `given`, after waiting for its start. If none is given, the one at the default address, or else a new one on a free
 * port with a temporary folder; the demo prints which. Throws when the given product is not ready within a minute: a demo against
 * another product proves nothing.
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

/**
 * Starts a product in a new process, from the build beside this file. The process and its folder are removed when the demo is interrupted
 * too.
 */
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
    // If the stop was cut short, PostgreSQL may still be writing its last files.
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  // A lost reader also fails the walk, and both stop the product. Removing the folder twice at the same time fails.
  let ending: Promise<void> | undefined;
  const stop = () => (ending ??= end());
  const leave = (code: number) => void stop().finally(() => process.exit(code));
  // Each of them may come again while the product ends. Without a listener it would end the process before the folder is removed.
  process.on('SIGINT', () => leave(130)).on('SIGTERM', () => leave(143));
  // The reader of the output may stop reading (`npm run demo | head`). Each line fails from then on, until the walk does.
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
