import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** How long `/slow` takes to answer: nearly the time-out of a webhook (HOOK-16). */
const SLOW_MS = 14_000;

/** A client's endpoint that records the first arrival of each event. It answers immediately, or under `/slow` after 14 s. */
export interface Receiver {
  readonly url: string;
  /** Wall milliseconds of the first arrival by the event's id, in the order of arrival. */
  readonly arrivals: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, wallNow());
    const answer = () => response.writeHead(200).end();
    request.resume().once('end', () => (request.url === '/slow' ? setTimeout(answer, SLOW_MS) : answer()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    arrivals,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Wall milliseconds with fractions. */
export function wallNow(): number {
  return performance.timeOrigin + performance.now();
}
