import { parseJson } from '@fundrail/contracts';
import { gatewaypoaWire } from '@fundrail/providers';
import { LocalServer } from '@fundrail/testing';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** gatewaypoa's orders over HTTP. It reviews each order at once, and fails submissions with 500 while the test wants it. */
export class FailingGatewaypoa extends LocalServer {
  isFailing = false;
  /** References of the received submissions, in their order. */
  readonly submissions: string[] = [];
  readonly #accepted = new Set<string>();

  protected async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await this.#answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
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
