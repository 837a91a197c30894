import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An order gateway that answers immediately, or accepts each call and never answers. */
export interface MoodyGateway {
  readonly url: string;
  /** Calls since the start. */
  readonly calls: number;
  hang(doesHang: boolean): void;
  stop(): Promise<void>;
}

/** Refuses every order, so that no further request about it follows. */
export async function startMoodyGateway(): Promise<MoodyGateway> {
  let [calls, hangs] = [0, false];
  const server = createServer((request, response) => {
    calls += 1;
    if (hangs) return;
    void referenceOf(request).then((reference) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(refused(reference));
    });
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get calls() {
      return calls;
    },
    hang: (doesHang) => {
      hangs = doesHang;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function referenceOf(request: IncomingMessage): Promise<string> {
  if (request.method === 'GET') return decodeURIComponent(request.url?.split('/').at(-1) ?? '');
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return (JSON.parse(text) as { reference: string }).reference;
}

function refused(reference: string): string {
  return JSON.stringify({
    reference,
    review: { status: 'rejected', failure_code: 'order_failed_at_gateway' },
    submission: { status: 'none' },
    outcome: { status: 'processing' },
  });
}
