import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A received POST. */
export interface Hit {
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
}

type Answer = (hit: Hit, response: ServerResponse) => void;

/** A client's endpoint whose responses the test defines. */
export class EndpointServer {
  readonly hits: Hit[] = [];
  /** All connections ever opened. */
  connections = 0;
  answer: Answer = (_hit, response) => void response.writeHead(204).end();

  private constructor(private readonly server: Server) {
    server.on('connection', () => (this.connections += 1));
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(): Promise<EndpointServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new EndpointServer(server);
  }

  get url(): string {
    const address = this.server.address();
    if (!address || typeof address === 'string') throw new Error('the server is stopped');
    return `http://127.0.0.1:${address.port}/hooks`;
  }

  /** Sets the next responses: the statuses in turn, and the last one for all later requests. */
  answers(...statuses: number[]): void {
    this.answer = (_hit, response) => {
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      response.writeHead(status ?? 204).end(`answered ${status ?? 204}`);
    };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let raw = '';
    for await (const chunk of request.setEncoding('utf8')) raw += String(chunk);
    const hit = { headers: request.headers as Record<string, string>, raw };
    this.hits.push(hit);
    this.answer(hit, response);
  }
}
