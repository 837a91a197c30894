import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { HttpTransport } from './http-transport.ts';
import { PatientTransport } from './patient-transport.ts';
import type { TransportRequest } from './service-transport.ts';

const GET: TransportRequest = {
  method: 'GET',
  path: '/x',
  headers: {},
  timeoutMs: 2_000,
  isRepeatable: true,
};
const POST: TransportRequest = { ...GET, method: 'POST', body: '{}', isRepeatable: false };
const CLAIM: TransportRequest = { ...POST, isRepeatable: true };

/** A neighbour as it is during a rolling restart, over real sockets. */
describe('calls of a neighbour that restarts', () => {
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
    let asked = 0;
    const server = await serve((incoming, response) => {
      asked += 1;
      if (asked === 2) incoming.socket.destroy();
      else response.end('{}');
    });
    const transport = callsTo(portOf(server));
    await transport.request('orders', request);
    expect(await transport.request('orders', request)).toEqual({ status: 200, body: '{}' });
    expect(asked).toBe(3);
  });

  it('does not send again what may have had its effect, unless that does no harm', async () => {
    let asked = 0;
    const server = await serve((incoming) => {
      asked += 1;
      incoming.socket.destroy();
    });
    await expect(callsTo(portOf(server)).request('orders', POST)).rejects.toThrow();
    expect(asked).toBe(1);
  });

  it('waits for a peer that is just gone, whatever is asked: nothing has reached it', async () => {
    const gone = await serve(() => undefined);
    const port = portOf(gone);
    await stop(gone);
    const answer = callsTo(port).request('orders', POST);
    await serve((_incoming, response) => response.end('back'), port);
    expect(await answer).toEqual({ status: 200, body: 'back' });
  });

  it('goes on with the other of two replicas behind one address when one dies', async () => {
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
    ['once more where that does no harm', CLAIM, 200, 2],
    ['never where it may', POST, 503, 1],
  ])('asks a peer that answers 503 %s', async (_what, request, status, times) => {
    let asked = 0;
    const server = await serve((_incoming, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 503 : 200).end('{}');
    });
    expect((await callsTo(portOf(server)).request('orders', request)).status).toBe(status);
    expect(asked).toBe(times);
  });

  it('gives up in the end, and at once when the peer is only silent', async () => {
    const gone = await serve(() => undefined);
    const port = portOf(gone);
    await stop(gone);
    await expect(callsTo(port, [1, 1]).request('orders', GET)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    let asked = 0;
    const silent = await serve(() => (asked += 1));
    await expect(callsTo(portOf(silent)).request('orders', { ...GET, timeoutMs: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    expect(asked).toBe(1);
  });

  /** What a Service of Kubernetes is: connections go round over the replicas, dead ones included. */
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
