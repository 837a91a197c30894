import { LocalServer } from '@fundrail/testing';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

interface ReceivedCallback {
  readonly topic: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

/** Receives the simulator's callbacks in tests. */
export class CallbackReceiver extends LocalServer {
  readonly received: ReceivedCallback[] = [];
  /** The status of the next responses. */
  answers = 200;

  /** The callbacks about one reference, in the order of their arrival. */
  about(reference: string): ReceivedCallback[] {
    return this.received.filter(
      ({ raw }) => (JSON.parse(raw) as { reference: string }).reference === reference,
    );
  }

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const topic = request.url?.split('/').at(-1) ?? '';
    this.received.push({ topic, headers: request.headers, raw: await text(request) });
    response.writeHead(this.answers).end();
  }
}
