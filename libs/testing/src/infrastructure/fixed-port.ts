import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below the ports that systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere). In that range any
 * connection may take the port of a server that is down, and a client that keeps trying may even connect to itself.
 */
const FIRST = 20_000;
const LAST = 29_998;
const TRIES = 100;

/** A port that is free together with the next one. No other process takes it while the server of a test is stopped. */
export async function fixedPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, LAST);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
  throw new Error(`no two free ports were found between ${FIRST} and ${LAST}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '0.0.0.0', () => probe.close(() => resolve(true)));
  });
}
