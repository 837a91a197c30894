import { Worker, workerData, parentPort, isMainThread } from 'node:worker_threads';
import { Pool } from 'undici';
import { atFixedRate } from '../lib/open-loop.ts';

/** The requests of a flood, and its duration. */
export interface FloodTerms {
  readonly url: string;
  readonly path: string;
  readonly token: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** How many answers had each status. */
type Statuses = ReadonlyMap<number, number>;

/**
 * Sends a flood from its own thread with its own connections, like another client: its garbage and event loop must not affect the
 * measured client. Returns the counts of the answers.
 */
export function flood(terms: FloodTerms): Promise<Statuses> {
  const worker = new Worker(new URL(import.meta.url), { workerData: terms });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

async function run({ url, path, token, perSecond, seconds }: FloodTerms): Promise<Statuses> {
  const http = new Pool(url, { connections: 64 });
  const statuses = new Map<number, number>();
  const headers = { authorization: `Bearer ${token}` };
  await atFixedRate(perSecond, seconds, async () => {
    const { statusCode, body } = await http.request({ method: 'GET', path, headers });
    await body.dump();
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
  });
  await http.close();
  return statuses;
}

if (!isMainThread) parentPort?.postMessage(await run(workerData as FloodTerms));
