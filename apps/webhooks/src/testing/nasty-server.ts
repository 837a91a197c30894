import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { SELF_SIGNED } from './self-signed.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const DRIP_MS = 50;
const GIGABYTE = 2 ** 30;

/** What a nasty endpoint does with a connection once the request starts to arrive. */
type Nastiness = (socket: Socket, server: NastyServer) => void;

/** All ways in which a socket can fail. */
export const NASTY = {
  'never answers': () => undefined,
  'closes at once': (socket) => void socket.end(),
  'resets the connection': (socket) => void socket.resetAndDestroy(),
  'sends the status line and no more': (socket) => void socket.write(OK),
  'sends its headers a byte at a time': (socket, server) =>
    server.drip(socket, `${OK}X-Long: ${'x'.repeat(500)}`),
  'breaks off in its headers': (socket) => void socket.end(`${OK}X-Half: `),
  'sends headers without end': (socket, server) =>
    server.flood(socket, OK, `X-More: ${'x'.repeat(1_000)}\r\n`),
  'talks no HTTP': (socket) => void socket.end('220 mail.example ESMTP\r\n'),
  'sends a body a byte at a time': (socket, server) =>
    server.drip(socket, 'x'.repeat(500), `${OK}Content-Length: 500\r\n\r\n`),
  'sends 1 GB': (socket, server) =>
    server.flood(socket, `${OK}Content-Length: ${GIGABYTE}\r\n\r\n`, 'y'.repeat(65_536)),
  'promises a body and breaks off': (socket) => void socket.end(`${OK}Content-Length: 500\r\n\r\nhalf`),
} satisfies Readonly<Record<string, Nastiness>>;

/** A badly behaved client's endpoint. */
export class NastyServer {
  /** The number of bytes that a flood has written into sockets. */
  flooded = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly scheme: 'http' | 'https',
  ) {}

  static start(does: Nastiness): Promise<NastyServer> {
    return NastyServer.listen(createServer(), does, 'http');
  }

  /** With TLS and a self-signed certificate. */
  static startSelfSigned(): Promise<NastyServer> {
    return NastyServer.listen(createTlsServer(SELF_SIGNED), () => undefined, 'https');
  }

  /** A plain server under an `https` URL. */
  static startWithoutTls(): Promise<NastyServer> {
    return NastyServer.listen(
      createServer(),
      (socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'),
      'https',
    );
  }

  private static async listen(
    server: Server,
    does: Nastiness,
    scheme: 'http' | 'https',
  ): Promise<NastyServer> {
    const nasty = new NastyServer(server, scheme);
    server.on('connection', (socket: Socket) => {
      nasty.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => nasty.sockets.delete(socket));
      socket.once('data', () => does(socket, nasty));
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return nasty;
  }

  get url(): string {
    const address = this.server.address();
    if (!address || typeof address === 'string') throw new Error('the server is stopped');
    return `${this.scheme}://127.0.0.1:${address.port}/hooks`;
  }

  get open(): number {
    return this.sockets.size;
  }

  drip(socket: Socket, text: string, before = ''): void {
    socket.write(before);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent >= text.length) clearInterval(timer);
      else socket.write(text.charAt(sent++));
    }, DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  }

  /** Writes as fast as the other side reads, until it closes the connection. */
  flood(socket: Socket, before: string, chunk: string): void {
    const more = () => {
      while (!socket.destroyed && this.flooded < GIGABYTE) {
        this.flooded += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.write(before);
    socket.on('drain', more);
    more();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
