import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Kafka tells clients where its brokers are; these are the names by which a test's broker calls itself. */
const HOSTS = ['127.0.0.1', 'localhost', 'host.docker.internal'];
const PRODUCE_REQUEST = 0;

/**
 * Stands between one process of a test and the broker: cuts it off, lets it hang, or loses answers, while everybody else goes
 * on. It puts its own port in the place of the broker's wherever the broker tells its address, so clients stay behind it.
 */
export class KafkaProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #host: string;
  readonly #port: number;
  #isCut = false;
  #isHanging = false;
  #answersToLose = 0;

  private constructor(broker: string) {
    const [host = '', port] = broker.split(':');
    this.#host = host;
    this.#port = Number(port);
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start([broker = '']: readonly string[]): Promise<KafkaProxy> {
    const proxy = new KafkaProxy(broker);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The brokers of a client that goes through here. */
  get brokers(): string[] {
    return [`127.0.0.1:${this.#ownPort}`];
  }

  /** Ends all connections and accepts no more, as when the broker, or the way to it, is gone. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Connections stay open, and nothing comes through. */
  hang(): void {
    this.#isHanging = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** All goes on; what hung goes through. */
  restore(): void {
    this.#isCut = false;
    this.#isHanging = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** The broker gets the next `count` requests to write, and the connection dies in the moment of each answer. */
  loseAnswers(count: number): void {
    this.#answersToLose = count;
  }

  /** How many answers were lost since. */
  get answersLeftToLose(): number {
    return this.#answersToLose;
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #ownPort(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  #serve(client: Socket): void {
    if (this.#isCut) {
      client.destroy();
      return;
    }
    const broker = connect(this.#port, this.#host);
    let losesNext = false;
    this.#hold(client, broker);
    this.#hold(broker, client);
    client.on('data', (chunk) => {
      losesNext ||= this.#answersToLose > 0 && isProduceRequest(chunk);
      broker.write(chunk);
    });
    broker.on('data', (chunk) => {
      if (losesNext) {
        this.#answersToLose -= 1;
        client.destroy();
      } else client.write(this.#withOwnPort(chunk));
    });
  }

  #hold(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    if (this.#isHanging) socket.pause();
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }

  #withOwnPort(chunk: Buffer): Buffer {
    for (const host of HOSTS) {
      const address = Buffer.concat([Buffer.from(host), int32(this.#port)]);
      for (let at = chunk.indexOf(address); at >= 0; at = chunk.indexOf(address, at + 1)) {
        int32(this.#ownPort).copy(chunk, at + host.length);
      }
    }
    return chunk;
  }
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** A frame is its length and the number of its kind; one that begins in the middle of a chunk is not seen. */
function isProduceRequest(chunk: Buffer): boolean {
  return chunk.length > 6 && chunk.readInt16BE(4) === PRODUCE_REQUEST;
}
