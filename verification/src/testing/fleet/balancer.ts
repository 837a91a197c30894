import { refuse, type Handler } from '@fundrail/standalone';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { forward, headersToPass, messageHeaders, type WholeRequest } from './forward.ts';

/** The current addresses of a service's replicas, always in the same order. */
type Upstreams = () => readonly string[];

/**
 * Stands in for a Kubernetes Service and the Ingress of one service: distributes requests over the replicas in turn. If a replica
 * refuses the connection, the request goes to the next one, once. Every other error is a 503 to the client, because the
 * request may have had its effect. No connection is kept, so that a replica that stops loses no request.
 */
export class Balancer {
  readonly #server = createServer((request, response) => this.handle(request, response));
  #turn = 0;

  constructor(private readonly upstreams: Upstreams) {}

  /** Opens a port for other services' calls of internal routes, which no edge passes on. Returns its address. */
  async listen(): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject).listen({ host: '127.0.0.1', port: 0 }, resolve);
    await promise;
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  readonly handle: Handler = (request, response) => {
    this.#passOn(request, response).catch(() => {
      if (response.headersSent) response.destroy();
      else refuse(request, response.setHeader('retry-after', '1'), 'SERVICE_UNAVAILABLE');
    });
  };

  async #passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const body = await buffer(request);
    const { method = 'GET', url: path = '/' } = request;
    const whole = { method, path, headers: headersToPass(request, body), body };
    const answer = await this.#ask(whole, gone.signal);
    response.writeHead(answer.statusCode ?? 503, messageHeaders(answer));
    await pipeline(answer, response);
  }

  async #ask(request: WholeRequest, signal: AbortSignal): Promise<IncomingMessage> {
    const [first, second] = this.#inTurn();
    if (first === undefined) throw new Error('no replica serves');
    try {
      return await forward(first, request, signal);
    } catch (error) {
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (!isRefused || second === undefined) throw error;
      return forward(second, request, signal);
    }
  }

  #inTurn(): string[] {
    const serving = this.upstreams();
    const first = serving.length > 0 ? this.#turn++ % serving.length : 0;
    return [...serving.slice(first), ...serving.slice(0, first)];
  }
}
