import { LocalServer } from '@fundrail/testing';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A received POST. */
export interface Hit {
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
}

type Answer = (hit: Hit, response: ServerResponse) => void;

/** A client's endpoint whose responses the test defines. */
export class EndpointServer extends LocalServer {
  readonly hits: Hit[] = [];
  /** All connections ever opened. */
  connections = 0;
  answer: Answer = (_hit, response) => void response.writeHead(204).end();

  constructor() {
    super();
    this.server.on('connection', () => (this.connections += 1));
  }

  override get url(): string {
    return `${super.url}/hooks`;
  }

  /** Sets the next responses: the statuses in turn, and the last one for all later requests. */
  answers(...statuses: number[]): void {
    this.answer = (_hit, response) => {
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      response.writeHead(status ?? 204).end(`answered ${status ?? 204}`);
    };
  }

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(request);
    const hit = { headers: request.headers as Record<string, string>, raw };
    this.hits.push(hit);
    this.answer(hit, response);
  }
}
