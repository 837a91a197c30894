import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewaypoaClient } from './client.ts';
import { route } from '../route.ts';

// Long enough for a busy machine, short enough for the cases that wait for it.
const TIMEOUT_MS = 1_500;

describe('HTTP to gatewaypoa', () => {
  let server: Server;
  let client: GatewaypoaClient;
  let requests: IncomingMessage[];
  let answer: (response: ServerResponse, request: IncomingMessage) => void;

  beforeEach(async () => {
    requests = [];
    server = createServer((request, response) => {
      requests.push(request);
      answer(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new GatewaypoaClient({
      baseUrl: `http://127.0.0.1:${port}/`,
      apiKey: 'key',
      timeoutMs: TIMEOUT_MS,
    });
  });

  afterEach(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('given a call, when it is sent, then it carries the path, the API key and the idempotency key (GATE-2)', async () => {
    answer = (response) => response.end('{"ok":true}');
    const result = await client.post(route`/payments`, 'P1', { amount_paise: 1 });
    expect(result).toEqual({ kind: 'answered', status: 200, body: { ok: true } });
    expect(requests[0]?.url).toBe('/gatewaypoa/payments');
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer key', 'idempotency-key': 'P1' });
  });

  it('given an answer that is not JSON, when it arrives, then the body is undefined', async () => {
    answer = (response) => response.end('<html>');
    expect(await client.get(route`/orders/x`)).toEqual({ kind: 'answered', status: 200, body: undefined });
  });

  it.each<[string, typeof answer]>([
    ['no answer in time', () => undefined],
    ['headers in time and a body that never ends', (response) => response.write('{"half":')],
    ['a closed connection', (_, request) => request.socket.destroy()],
    ['more than a megabyte', (response) => response.end('x'.repeat(2_000_000))],
  ])(
    'given %s, when it is called, then the answer is silence and not an exception (GATE-13)',
    async (_, behaviour) => {
      answer = behaviour;
      expect(await client.get(route`/orders/x`)).toMatchObject({ kind: 'silence' });
    },
  );

  it('given no server listens, when it is called, then the answer is silence', async () => {
    const unreachable = new GatewaypoaClient({
      baseUrl: 'http://127.0.0.1:1',
      apiKey: 'key',
      timeoutMs: TIMEOUT_MS,
    });
    expect(await unreachable.get(route`/orders/x`)).toMatchObject({ kind: 'silence' });
    await unreachable.close();
  });
});
