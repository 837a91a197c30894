import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Health, HealthAnswer } from './health.ts';

/** What operators ask, on a port that no client reaches: `/health/live` and `/health/ready`. */
export class OpsServer {
  private constructor(private readonly server: Server) {}

  /** Rejects when the port cannot be had. Port 0 takes any free one. */
  static async listen(health: Health, host: string, port: number): Promise<OpsServer> {
    const questions = new Map<string, () => HealthAnswer | Promise<HealthAnswer>>([
      ['/health/live', () => health.live()],
      ['/health/ready', () => health.ready()],
    ]);
    const server = createServer((request, response) => {
      const ask = questions.get(request.url ?? '');
      if (ask) void Promise.resolve(ask()).then((answer) => tell(answer, response));
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

function tell({ isOk, body }: HealthAnswer, response: ServerResponse): void {
  response.writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
