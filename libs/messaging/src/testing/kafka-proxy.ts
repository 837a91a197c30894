import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { kafkaClient, type KafkaConnection } from '../kafka/kafka-connection.ts';

const HOST = '127.0.0.1';
const PRODUCE_REQUEST = 0;
/** Each request and each answer begins with its length. */
const LENGTH_BYTES = 4;

/**
 * A proxy between one process of a test and the broker. It cuts the connection, lets it hang, or loses answers, and other
 * processes are not affected. It replaces the broker's address in its answers with its own, so that clients keep using the proxy.
 */
export class KafkaProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #isCut = false;
  #isHanging = false;
  #answersToLose = 0;

  /** @param advertised the address that the broker gives its clients. */
  private constructor(
    private readonly broker: string,
    private readonly advertised: { readonly host: string; readonly port: number },
  ) {
    this.#server = createServer((client) => this.#serve(client));
  }

  /** Starts a proxy before the only broker of a test's cluster. */
  static async start(connection: KafkaConnection): Promise<KafkaProxy> {
    const admin = kafkaClient(connection, 5).admin();
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    await admin.disconnect();
    const [advertised] = brokers;
    if (!advertised || brokers.length > 1) throw new Error('the proxy stands before a cluster of one broker');
    const proxy = new KafkaProxy(connection.brokers[0] ?? '', advertised);
    await new Promise<void>((resolve) => proxy.#server.listen(0, HOST, resolve));
    return proxy;
  }

  /** The broker list for a client that uses this proxy. */
  get brokers(): string[] {
    return [`${HOST}:${this.#ownPort}`];
  }

  /** Ends all connections and accepts no more, like an unreachable broker. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections open, and passes nothing on. */
  hang(): void {
    this.#isHanging = true;
    for (const socket of this.#sockets) socket.pause();
  }

  /** Restores the connection, and passes on held data. */
  restore(): void {
    this.#isCut = false;
    this.#isHanging = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** The broker gets the next `count` produce requests, and the connection is closed at each answer. */
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
    const [host = '', port] = this.broker.split(':');
    const broker = connect(Number(port), host);
    let losesNext = false;
    this.#hold(client, broker);
    this.#hold(broker, client);
    client.on('data', (chunk) => {
      losesNext ||= this.#answersToLose > 0 && isProduceRequest(chunk);
      broker.write(chunk);
    });
    onFrame(broker, (frame) => {
      if (losesNext) {
        this.#answersToLose -= 1;
        client.destroy();
      } else client.write(this.#withOwnAddress(frame));
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

  #withOwnAddress(frame: Buffer): Buffer {
    const theirs = addressBytes(this.advertised.host, this.advertised.port);
    const ours = addressBytes(HOST, this.#ownPort);
    const parts: Buffer[] = [];
    let from = LENGTH_BYTES;
    for (let at = frame.indexOf(theirs, from); at >= 0; at = frame.indexOf(theirs, from)) {
      parts.push(frame.subarray(from, at), ours);
      from = at + theirs.length;
    }
    if (parts.length === 0) return frame;
    const body = Buffer.concat([...parts, frame.subarray(from)]);
    return Buffer.concat([int32(body.length), body]);
  }
}

/** The form in the responses that kafkajs requests: the host's length, the host, the port. */
function addressBytes(host: string, port: number): Buffer {
  return Buffer.concat([Buffer.from([0, host.length]), Buffer.from(host), int32(port)]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(LENGTH_BYTES);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Calls back with each whole frame. */
function onFrame(socket: Socket, take: (frame: Buffer) => void): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    while (rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + rest.readInt32BE(0);
      if (rest.length < end) return;
      take(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}

/** A request is its length, then the number of its kind; one that begins in the middle of a chunk is not seen. */
function isProduceRequest(chunk: Buffer): boolean {
  return chunk.length > LENGTH_BYTES + 2 && chunk.readInt16BE(LENGTH_BYTES) === PRODUCE_REQUEST;
}
