import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a test on a free port of this machine. A request that it fails to answer loses its connection. */
export abstract class LocalServer {
  protected readonly server = createServer((request, response) => {
    this.take(request, response).catch(() => response.destroy());
  });

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  static start<Started extends LocalServer>(this: new () => Started): Promise<Started> {
    return new this().listen();
  }

  /** Resolves to this server once it listens. */
  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  protected abstract take(request: IncomingMessage, response: ServerResponse): Promise<void>;
}
