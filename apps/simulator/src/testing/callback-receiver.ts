import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received callback. */
interface ReceivedCallback {
  readonly topic: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: string;
}

/** Receives the simulator's callbacks in tests. */
export class CallbackReceiver {
  readonly received: ReceivedCallback[] = [];
  /** The status of the next responses. */
  answers = 200;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CallbackReceiver> {
    const server = createServer();
    const receiver = new CallbackReceiver(server);
    server.on('request', (request, response) => {
      let raw = '';
      request.setEncoding('utf8').on('data', (text: string) => (raw += text));
      request.on('end', () => {
        const topic = request.url?.split('/').at(-1) ?? '';
        receiver.received.push({ topic, headers: request.headers, raw });
        response.writeHead(receiver.answers).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The callbacks about one reference, in the order of their arrival. */
  about(reference: string): ReceivedCallback[] {
    return this.received.filter(
      ({ raw }) => (JSON.parse(raw) as { reference: string }).reference === reference,
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
