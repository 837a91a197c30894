import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough, Transform, type TransformCallback } from 'node:stream';

/**
 * `steady`; `cut`: connections are refused and those that are open are reset; `failing`: each connection is answered with HTTP 503,
 * and nothing gets through; a number: the delay of each direction in ms.
 */
export type LinkState = 'steady' | 'cut' | 'failing' | number;

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

/** A TCP proxy in front of a server, for tests with a slow or missing network. */
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

  /** The address of the proxy. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A cut resets open connections; a delay and `failing` apply to new ones. */
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
      // A client that is gone needs no answer.
      client.on('error', () => client.destroy()).once('data', () => client.end(UNAVAILABLE));
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    this.#keep(client, server);
    this.#keep(server, client);
    client.pipe(this.#delayed()).pipe(server);
    server.pipe(this.#delayed()).pipe(client);
  }

  /** When one end fails, the other one is closed. */
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
