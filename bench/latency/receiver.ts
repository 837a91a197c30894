import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A client's endpoint that notes when each event came first, and answers at once. */
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
    request.resume().once('end', () => response.writeHead(200).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/hooks`,
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
