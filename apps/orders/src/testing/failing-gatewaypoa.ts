import { parseJson } from '@fundrail/contracts';
import { gatewaypoaWire } from '@fundrail/providers';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** gatewaypoa's orders over HTTP. It reviews each order at once, and fails submissions with 500 while the test wants it. */
export class FailingGatewaypoa {
  isFailing = false;
  /** References of the received submissions, in their order. */
  readonly submissions: string[] = [];
  readonly #accepted = new Set<string>();
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
  });

  static async start(): Promise<FailingGatewaypoa> {
    const gateway = new FailingGatewaypoa();
    await new Promise<void>((resolve) => gateway.#server.listen(0, '127.0.0.1', resolve));
    return gateway;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const path = request.url ?? '';
    if (request.method === 'GET') return { status: 200, body: this.#order(path.split('/').at(-1) ?? '') };
    const { reference } = gatewaypoaWire.orderRequest.parse(parseJson(await text(request)));
    if (!path.endsWith('/submit')) return { status: 200, body: this.#order(reference) };
    this.submissions.push(reference);
    if (this.isFailing) return { status: 500, body: { code: 'BROKEN', message: 'out of order' } };
    this.#accepted.add(reference);
    return { status: 200, body: this.#order(reference) };
  }

  #order(reference: string): gatewaypoaWire.OrderObjectWire {
    const isAccepted = this.#accepted.has(reference);
    return {
      reference,
      review: { status: 'passed' },
      submission: isAccepted
        ? { status: 'accepted', order_reference: `GPOA${reference}` }
        : { status: 'none' },
      outcome: { status: 'processing' },
    };
  }
}
