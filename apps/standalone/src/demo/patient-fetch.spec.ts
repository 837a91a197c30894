import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { patientFetch } from './patient-fetch.ts';

describe('a patient client', () => {
  let server: Server;
  let url: string;
  let seen: IncomingHttpHeaders[];

  /** Answers with each of these in turn, and repeats the last one. */
  async function answering(...answers: RequestListener[]): Promise<void> {
    seen = [];
    server = createServer((request, response) => {
      seen.push(request.headers);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const status =
    (code: number, body = '{}'): RequestListener =>
    (_request, response) =>
      response.writeHead(code, { 'retry-after': '0' }).end(body);

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  it('sends the same request again, with its key, while the product asks for it', async () => {
    await answering(status(503), status(409, '{"error":{"code":"IDEMPOTENCY_KEY_IN_USE"}}'), status(200));
    const answer = await patientFetch(url, {
      method: 'POST',
      body: '{}',
      headers: { 'idempotency-key': 'k' },
    });
    expect(answer.status).toBe(200);
    expect(seen.map((headers) => headers['idempotency-key'])).toEqual(['k', 'k', 'k']);
  });

  it('sends it again when the connection breaks', async () => {
    await answering((request) => request.socket.destroy(), status(200));
    expect((await patientFetch(url, { method: 'POST', body: '{}' })).status).toBe(200);
  });

  it.each([
    [400, '{}'],
    [500, '{}'],
    [409, '{"error":{"code":"PAYMENT_ALREADY_EXISTS"}}'],
  ])('takes %d %s as the final answer', async (code, body) => {
    await answering(status(code, body));
    const answer = await patientFetch(url, {});
    expect([answer.status, await answer.text(), seen.length]).toEqual([code, body, 1]);
  });
});
