import { SERVICES, type ServiceName } from '@fundrail/contracts';
import { request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import {
  GenericContainer,
  Network,
  Wait,
  type StartedNetwork,
  type StartedTestContainer,
} from 'testcontainers';
import { buildImage } from './build-image.ts';
import { ECHO_COMMAND, type Echo } from './echo-server.ts';

const EDGE_PORT = 8080;

/** An answer, its body as text. */
export interface EdgeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface EdgeRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

// Clients reach the ports that Docker publishes from a private network.
const BEHIND_A_PROXY = {
  EDGE_ADMIN: 'false',
  PUBLIC_BASE_URL: 'https://pay.example.com',
  EDGE_TRUSTED_PROXIES: '10.0.0.0/8, 172.16.0.0/12,192.168.0.0/16',
};

/**
 * The image of the edge between a client and echo servers, which stand in for the services; orders has two. The edge of the sandbox
 * is reached directly, the other one through a proxy that speaks https.
 */
export class EdgeStage {
  private constructor(
    private readonly network: StartedNetwork,
    private readonly edges: ReadonlyMap<boolean, StartedTestContainer>,
    private readonly services: Map<ServiceName, StartedTestContainer>,
    private readonly secondOrders: StartedTestContainer,
    private readonly output: readonly string[],
  ) {}

  static async start(): Promise<EdgeStage> {
    const [image, network] = await Promise.all([buildImage('edge'), new Network().start()]);
    const output: string[] = [];
    const start = async (sandbox: boolean) =>
      [sandbox, await startEdge(image, network, sandbox, output)] as const;
    const [edges, secondOrders, services] = await Promise.all([
      Promise.all([true, false].map(start)),
      startEcho('orders', network),
      Promise.all(SERVICES.map(async (name) => [name, await startEcho(name, network)] as const)),
    ]);
    return new EdgeStage(network, new Map(edges), new Map(services), secondOrders, output);
  }

  /** Sends the path byte for byte: `fetch` would normalise it. */
  async ask(path: string, { method = 'GET', headers = {}, body }: EdgeRequest = {}, sandbox = true) {
    const edge = this.edge(sandbox);
    const options = { host: edge.getHost(), port: edge.getMappedPort(EDGE_PORT), path, method, headers };
    const { promise, resolve, reject } = Promise.withResolvers<EdgeAnswer>();
    const sent = request({ ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
    });
    sent.once('error', reject).end(body);
    return promise;
  }

  /**
   * Starts a POST with a body that arrives slowly: one byte now, and one every `everyMs`. Resolves with the bytes that came back
   * when the other side ends the connection.
   */
  drip(path: string, everyMs: number): Promise<string> {
    const edge = this.edge(true);
    const socket = connect(edge.getMappedPort(EDGE_PORT), edge.getHost());
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.write(`POST ${path} HTTP/1.1\r\nhost: edge\r\ncontent-length: 100000\r\n\r\n{`);
    const timer = setInterval(() => socket.write(' '), everyMs);
    // A reset ends the connection, too.
    socket.on('error', () => undefined);
    return new Promise((resolve) => {
      socket.on('close', () => {
        clearInterval(timer);
        resolve(text);
      });
    });
  }

  /** Sends a request to a path that a service answers. */
  async echo(path: string, options: EdgeRequest = {}, sandbox = true): Promise<Echo> {
    return JSON.parse((await this.ask(path, options, sandbox)).text) as Echo;
  }

  /** Removes the container of a service. */
  async remove(name: ServiceName): Promise<void> {
    await this.services.get(name)?.stop();
    this.services.delete(name);
  }

  /** Starts a removed service again: another container, with another address. */
  async bringBack(name: ServiceName): Promise<void> {
    this.services.set(name, await startEcho(name, this.network));
  }

  /** What the edge has logged about a request so far. */
  logged(requestId: string): Record<string, unknown>[] {
    const lines = this.output.join('').split('\n');
    return lines
      .filter((line) => line.includes(`"${requestId}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  async stop(): Promise<void> {
    const containers = [...this.edges.values(), ...this.services.values(), this.secondOrders];
    await Promise.all(containers.map((container) => container.stop()));
    await this.network.stop();
  }

  private edge(sandbox: boolean): StartedTestContainer {
    const edge = this.edges.get(sandbox);
    if (!edge) throw new Error('the edge does not run');
    return edge;
  }
}

/** Without any capability, as compose and the pods run it. */
function startEdge(
  image: string,
  network: StartedNetwork,
  sandbox: boolean,
  log: string[],
): Promise<StartedTestContainer> {
  return new GenericContainer(image)
    .withNetwork(network)
    .withEnvironment({ SANDBOX: String(sandbox), ...(sandbox ? {} : BEHIND_A_PROXY) })
    .withExposedPorts(EDGE_PORT)
    .withDroppedCapabilities('ALL')
    .withTmpFs({ '/tmp': 'rw' })
    .withLogConsumer((stream) => void stream.on('data', (part: Buffer) => log.push(part.toString())))
    .withWaitStrategy(Wait.forHttp('/health/ready', EDGE_PORT))
    .start();
}

function startEcho(name: ServiceName, network: StartedNetwork): Promise<StartedTestContainer> {
  return new GenericContainer('node:24-bookworm-slim')
    .withNetwork(network)
    .withNetworkAliases(name)
    .withEnvironment({ SERVICE: name })
    .withCommand(ECHO_COMMAND)
    .withWaitStrategy(Wait.forLogMessage('echoing'))
    .start();
}
