import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRICS_TYPE, metricsText, type ServiceMetrics } from '../metrics/service-metrics.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import type { Health, HealthAnswer } from './health.ts';

/** The sources of its answers. */
interface OpsSources {
  readonly health: Health;
  readonly metrics: ServiceMetrics;
}

/** The server for operators, on a port that clients do not reach: `/health/live`, `/health/ready` and `/metrics`. */
export class OpsServer {
  private constructor(private readonly server: Server) {}

  /** Rejects when it cannot listen on the port. Port 0 takes any free one. */
  static async listen(sources: OpsSources, host: string, port: number): Promise<OpsServer> {
    const { health, metrics } = sources;
    // Measured from now on, not from the first request.
    processMetrics();
    const routes = new Map<string, (response: ServerResponse) => Promise<void> | void>([
      ['/health/live', (response) => send(health.live(), response)],
      ['/health/ready', async (response) => send(await health.ready(), response)],
      ['/metrics', (response) => answerMetrics([metrics], response)],
    ]);
    const server = createServer((request, response) => {
      const answer = routes.get(request.url ?? '');
      if (answer) void answer(response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    return new OpsServer(server);
  }

  /** Its address on this machine. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }
}

/** Answers `/metrics` for these services; 500 when that fails. Never rejects. */
export async function answerMetrics(
  services: readonly ServiceMetrics[],
  response: ServerResponse,
): Promise<void> {
  try {
    const text = await metricsText(services);
    response.writeHead(200, { 'content-type': METRICS_TYPE }).end(text);
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.message : 'unknown');
  }
}

function send({ isOk, body }: HealthAnswer, response: ServerResponse): void {
  response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
