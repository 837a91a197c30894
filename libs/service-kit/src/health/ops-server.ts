import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { METRICS_TYPE, metricsText, type ServiceMetrics } from '../metrics/service-metrics.ts';
import { processMetrics } from '../metrics/process-metrics.ts';
import type { Health, HealthAnswer } from './health.ts';

/** Who answers. */
export interface OpsSources {
  readonly health: Health;
  readonly metrics: ServiceMetrics;
}

/** What operators ask, on a port that no client reaches: `/health/live`, `/health/ready` and `/metrics`. */
export class OpsServer {
  private constructor(private readonly server: Server) {}

  /** Rejects when the port cannot be had. Port 0 takes any free one. */
  static async listen(sources: OpsSources, host: string, port: number): Promise<OpsServer> {
    const { health, metrics } = sources;
    // Measured from now on, and not from the first question.
    processMetrics();
    const questions = new Map<string, (response: ServerResponse) => Promise<void> | void>([
      ['/health/live', (response) => tell(health.live(), response)],
      ['/health/ready', async (response) => tell(await health.ready(), response)],
      ['/metrics', (response) => answerMetrics([metrics], response)],
    ]);
    const server = createServer((request, response) => {
      const answer = questions.get(request.url ?? '');
      if (answer) void answer(response);
      else response.writeHead(404).end();
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
    return new OpsServer(server);
  }

  /** Where it listens, on this machine. */
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

function tell({ isOk, body }: HealthAnswer, response: ServerResponse): void {
  response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
