import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { HttpTransport } from './http-transport.ts';
import { PatientTransport } from './patient-transport.ts';
import type { TransportRequest } from './service-transport.ts';

const GET: TransportRequest = {
  method: 'GET',
  path: '/x',
  headers: {},
  // A busy machine answers within this time. Only a peer that is silent gets less.
  timeoutMs: 30_000,
  isRepeatable: true,
};
const POST: TransportRequest = { ...GET, method: 'POST', body: '{}', isRepeatable: false };
const CLAIM: TransportRequest = { ...POST, isRepeatable: true };

/** Another service during a rolling restart, over real sockets. */
describe('calls of a service that restarts', () => {
  const open: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function serve(listener: RequestListener, port = 0): Promise<Server> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    open.push(() => stop(server));
    return server;
  }
  const stop = (server: Server) => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port;
  function callsTo(port: number, pausesMs = [10, 50, 200, 500]): PatientTransport {
    const transport = new PatientTransport(
      new HttpTransport({ orders: `http://127.0.0.1:${port}` }),
      pausesMs,
    );
    open.push(() => transport.close());
    return transport;
  }

  it.each([
    ['a GET', GET],
    ['a claim', CLAIM],
  ])('sends %s again when the peer closes the kept connection under it', async (_what, request) => {
    let received = 0;
    const server = await serve((incoming, response) => {
      received += 1;
      if (received === 2) incoming.socket.destroy();
      else response.end('{}');
    });
    const transport = callsTo(portOf(server));
    await transport.request('orders', request);
    expect(await transport.request('orders', request)).toEqual({ status: 200, body: '{}' });
    expect(received).toBe(3);
  });

  it('does not repeat a request that may have had an effect, unless it is repeatable', async () => {
    let received = 0;
    const server = await serve((incoming) => {
      received += 1;
      incoming.socket.destroy();
    });
    await expect(callsTo(portOf(server)).request('orders', POST)).rejects.toThrow();
    expect(received).toBe(1);
  });

  it('repeats any request that did not reach a stopped peer', async () => {
    const gone = await serve(() => undefined);
    const port = portOf(gone);
    await stop(gone);
    const answer = callsTo(port).request('orders', POST);
    await serve((_incoming, response) => response.end('back'), port);
    expect(await answer).toEqual({ status: 200, body: 'back' });
  });

  it('uses the other of two replicas behind one address when one dies', async () => {
    const replicas = [
      await serve((_incoming, response) => response.end('one')),
      await serve((_incoming, response) => response.end('two')),
    ];
    const address = await oneAddressOf(replicas.map(portOf));
    const transport = callsTo(address);
    for (const dead of replicas.slice(0, 1)) await stop(dead);
    const answers = await Promise.all(Array.from({ length: 20 }, () => transport.request('orders', CLAIM)));
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => 'two'));
  });

  it.each([
    ['a repeatable request', CLAIM, 200, 2],
    ['another request', POST, 503, 1],
  ])('sends %s again after a 503 only when it is repeatable', async (_what, request, status, times) => {
    let received = 0;
    const server = await serve((_incoming, response) => {
      received += 1;
      response.writeHead(received === 1 ? 503 : 200).end('{}');
    });
    expect((await callsTo(portOf(server)).request('orders', request)).status).toBe(status);
    expect(received).toBe(times);
  });

  it('gives up in the end, and immediately when the peer is only silent', async () => {
    const gone = await serve(() => undefined);
    const port = portOf(gone);
    await stop(gone);
    await expect(callsTo(port, [1, 1]).request('orders', GET)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    let received = 0;
    const silent = await serve(() => (received += 1));
    await expect(
      callsTo(portOf(silent)).request('orders', { ...GET, timeoutMs: 1_000 }),
    ).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(received).toBe(1);
  });

  /** Like a Service of Kubernetes: connections go to the replicas in turn, including dead ones. */
  async function oneAddressOf(ports: readonly number[]): Promise<number> {
    let turn = 0;
    const server = createTcpServer((socket) => {
      const upstream = connect({ port: ports[turn++ % ports.length] ?? 0, host: '127.0.0.1' });
      upstream.on('error', () => socket.resetAndDestroy());
      socket.on('error', () => upstream.destroy());
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    open.push(() => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    });
    return portOf(server);
  }
});
