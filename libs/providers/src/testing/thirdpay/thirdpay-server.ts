import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Disturbed } from '../conformance-stage.ts';
import type { Said, ThirdpayBooks } from './thirdpay-books.ts';

type How = 'lost' | 'late' | 'slow' | 'status_500' | 'nonsense';

const asked = z.object({
  payment_id: z.number(),
  rupees: z.string(),
  payee: z.string(),
  vpa: z.string().optional(),
});
const giving = z.object({ rupees: z.string() });

/** The HTTP server of the simulated thirdpay, which can disturb its next calls. */
export class ThirdpayServer {
  readonly #disturbed = new Map<Disturbed, How>();

  private constructor(
    private readonly server: Server,
    private readonly books: ThirdpayBooks,
    private readonly delaysMs: { readonly late: number; readonly slow: number },
  ) {}

  static async start(
    books: ThirdpayBooks,
    delaysMs: { readonly late: number; readonly slow: number },
  ): Promise<ThirdpayServer> {
    const server = createServer();
    const played = new ThirdpayServer(server, books, delaysMs);
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text));
      request.on('end', () => void played.answer(request, body, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return played;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  disturb(call: Disturbed, how: How): void {
    this.#disturbed.set(call, how);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    const { call, work } = this.routed(request, body);
    const how = this.#disturbed.get(call);
    this.#disturbed.delete(call);
    if (how === 'lost') return void request.socket.destroy();
    if (how === 'status_500') return void response.writeHead(500).end();
    const said = work();
    if (how === 'late' || how === 'slow') await pause(this.delaysMs[how]);
    if (how === 'nonsense') return void response.end('<html>');
    response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body));
  }

  private routed({ url, method }: IncomingMessage, body: string): { call: Disturbed; work: () => Said } {
    const [, , reference = '', part, key = ''] = (url ?? '').split('/');
    const isPost = method === 'POST';
    const parsed: unknown = isPost ? JSON.parse(body) : null;
    if (part === 'givebacks' && isPost)
      return { call: 'refund', work: () => this.books.give(reference, key, giving.parse(parsed).rupees) };
    if (part === 'givebacks') return { call: 'refund_status', work: () => this.books.giveOf(reference, key) };
    if (part === 'void') return { call: 'order_status', work: () => this.books.takeBack(reference) };
    if (!isPost) return { call: 'payment_status', work: () => this.books.chargeOf(reference) };
    const request = asked.parse(parsed);
    return { call: request.vpa ? 'collect' : 'payment', work: () => this.books.begin(reference, request) };
  }
}
