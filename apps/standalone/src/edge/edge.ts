import { ApiError, routeFor, type ErrorBody, type ErrorCode, type ServiceName } from '@fundrail/contracts';
import { Log } from '@fundrail/service-kit';
import {
  boundServer,
  refuseConnection,
  requestIdOf,
  safeHeaders,
  serverOptions,
  type SafeHeaders,
} from '@fundrail/service-kit/http';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** Handles a request: a service's Fastify instance (`fastify.routing`) or a page of the standalone itself. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Paths that the standalone serves itself, read-only. A key such as `/docs/` stands for the files of that folder, also with a slash after the name. */
export type OwnPages = ReadonlyMap<string, Handler>;

/** The one HTTP server of the standalone: the routing table of the contracts, with function calls in place of connections. */
export class Edge {
  private readonly server: Server;
  private readonly services = new Map<ServiceName, Handler>();
  private readonly started = Promise.withResolvers<void>();
  private readonly health: OwnPages = new Map<string, Handler>([
    ['/health/live', (_request, response) => sendJson(response, 200, { status: 'ok' })],
    ['/health/ready', (_request, response) => this.answerReady(response)],
  ]);
  private pages: OwnPages = new Map();
  private state: 'starting' | 'open' | 'closing' = 'starting';

  private readonly safe: SafeHeaders;
  private readonly log = Log.to('standalone', 'error');

  /** `publicBaseUrl`: the address that clients use; null when that is the address it listens on. */
  constructor(
    private readonly sandbox: boolean,
    publicBaseUrl: string | null = null,
  ) {
    this.safe = safeHeaders(publicBaseUrl);
    this.server = createServer(serverOptions(), (request, response) => {
      // Pages are read when they are first asked for. One that cannot be read must not end the process.
      this.answer(request, response).catch((error: unknown) => {
        this.log.error('a page was not answered', error);
        if (response.headersSent) response.destroy();
        else refuse(request, response, 'INTERNAL_ERROR');
      });
    });
    boundServer(this.server);
    this.server.on('clientError', (error, socket) => refuseConnection(error, socket as Socket, this.safe));
  }

  /** Opens the port. Requests wait until `serve`, except for the health checks. Rejects with the system's error. */
  async listen(host: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once('error', reject);
    this.server.listen({ host, port }, resolve);
    await promise;
    this.server.off('error', reject);
    return (this.server.address() as AddressInfo).port;
  }

  add(name: ServiceName, handler: Handler): void {
    this.services.set(name, handler);
  }

  /** Starts to answer requests. */
  serve(pages: OwnPages): void {
    this.pages = pages;
    this.state = 'open';
    this.started.resolve();
  }

  /** Accepts no more connections. Resolves when every running request has been answered. May be called twice. */
  async close(): Promise<void> {
    this.state = 'closing';
    this.started.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    // A connection is idle only after its answer has gone out, so once is not enough.
    const sweep = setInterval(() => this.server.closeIdleConnections(), 50);
    await promise.finally(() => clearInterval(sweep));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A page replaces it with its own policy.
    for (const [name, value] of Object.entries(this.safe)) response.setHeader(name, value);
    const path = request.url?.split('?', 1)[0] ?? '/';
    const health = this.health.get(path);
    // Health is answered while everything else still waits for the start.
    if (!health) await this.started.promise;
    const handler = health ? readOnly(health) : this.handlerFor(path);
    handler(request, response);
  }

  private answerReady(response: ServerResponse): void {
    const ready = this.state === 'open';
    sendJson(response, ready ? 200 : 503, { status: ready ? 'ok' : this.state });
  }

  private handlerFor(path: string): Handler {
    const folder = path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
    const own = this.pages.get(path) ?? (folder === '/' ? undefined : this.pages.get(folder));
    if (own) return readOnly(own);
    const service = routeFor(path, this.sandbox);
    return (service && this.services.get(service)) ?? notFound;
  }
}

/** The standalone's own pages are read-only. */
function readOnly(handler: Handler): Handler {
  return (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return (isRead ? handler : notAllowed)(request, response);
  };
}

export const notFound: Handler = (request, response) => refuse(request, response, 'NOT_FOUND');

const notAllowed: Handler = (request, response) => {
  response.setHeader('allow', 'GET, HEAD');
  refuse(request, response, 'METHOD_NOT_ALLOWED');
};

/** Answers with that error, in the shape of all errors. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: ErrorCode): void {
  const { status, code, message } = new ApiError(refusal);
  const request_id = requestIdOf(request);
  const body: ErrorBody = { error: { status, code, message, errors: [], request_id } };
  response.setHeader('x-request-id', request_id);
  sendJson(response, status, body);
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
}
