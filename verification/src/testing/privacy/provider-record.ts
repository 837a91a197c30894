import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { forward, headersToPass, messageHeaders } from '../fleet/forward.ts';

/** A request as it went to an outside system. */
interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names and values, as they arrived. */
  readonly headers: readonly string[];
  readonly body: string;
}

/** Stands in front of the simulated outside systems, and records every request to them. */
export class ProviderRecord {
  readonly sent: SentRequest[] = [];
  /** The address of the systems; set once the product serves. */
  target = '';
  readonly #failing = new Set<string>();
  readonly #server = createServer((request, response) => {
    this.#pass(request, response).catch(() => response.destroy());
  });

  static async start(): Promise<ProviderRecord> {
    const record = new ProviderRecord();
    await once(record.#server.listen(0, '127.0.0.1'), 'listening');
    return record;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The next request to that path is answered with 500 and the request's body. */
  failOnce(path: string): void {
    this.#failing.add(path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = '', url: path = '' } = request;
    this.sent.push({ method, path, headers: request.rawHeaders, body: body.toString() });
    if (this.#failing.delete(path)) {
      response.writeHead(500, { 'content-type': 'application/json' }).end(body);
      return;
    }
    const whole = { method, path, headers: headersToPass(request, body), body };
    const answer = await forward(this.target, whole, AbortSignal.timeout(30_000));
    response.writeHead(answer.statusCode ?? 502, messageHeaders(answer));
    answer.pipe(response);
  }
}
