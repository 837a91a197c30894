import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, Transform, type TransformCallback } from 'node:stream';

/**
 * `steady`; `cut`: connections are refused and those that are open are reset; `failing`: whoever connects is answered with HTTP 503,
 * and nothing gets through; a number: each way takes so many ms more.
 */
export type LinkState = 'steady' | 'cut' | 'failing' | number;

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** A TCP connection point in front of a server, for tests in which the network between two parties is slow or gone. */
export class UnsteadyLink {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((socket) => this.#join(socket));
  #state: LinkState = 'steady';

  private constructor(private readonly target: URL) {}

  /** @param target `http://host:port` of the server. */
  static async to(target: string): Promise<UnsteadyLink> {
    const link = new UnsteadyLink(new URL(target));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    link.#server.once('error', reject).listen({ host: '127.0.0.1', port: 0 }, resolve);
    await promise;
    return link;
  }

  /** The address that stands for the server. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Open connections are reset by a cut; a delay and failing are for those that come. */
  set(state: LinkState): void {
    this.#state = state;
    if (state === 'cut') for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #join(client: Socket): void {
    if (this.#state === 'cut') {
      client.resetAndDestroy();
      return;
    }
    if (this.#state === 'failing') {
      this.#sockets.add(client.on('close', () => this.#sockets.delete(client)));
      // Whoever is gone before the answer needs none.
      client.on('error', () => client.destroy()).once('data', () => client.end(UNAVAILABLE));
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    this.#keep(client, server);
    this.#keep(server, client);
    client.pipe(this.#delayed()).pipe(server);
    server.pipe(this.#delayed()).pipe(client);
  }

  /** An end that fails takes the other one with it. */
  #keep(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => other.resetAndDestroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #delayed(): Transform {
    const ms = this.#state;
    return typeof ms === 'number' ? new Delay(ms) : new PassThrough();
  }
}

class Delay extends Transform {
  constructor(private readonly ms: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    setTimeout(() => done(null, chunk), this.ms);
  }
}
