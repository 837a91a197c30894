import { once } from 'node:events';
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of the benchmark itself, on a free port of this machine. */
export interface Served extends AsyncDisposable {
  readonly url: string;
}

export async function serve(listener: RequestListener, options: ServerOptions = {}): Promise<Served> {
  const server = createServer(options, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
