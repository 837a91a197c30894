import type { ServiceName } from '@fundrail/contracts';
import { Pool } from 'undici';
import type { ServiceTransport, TransportAnswer, TransportRequest } from './service-transport.ts';

/** The addresses of the other services; a service without one cannot be called. */
export type ServiceUrls = Readonly<Partial<Record<ServiceName, string>>>;

// One connection carries one request at a time, so this is the most concurrent calls.
const CONNECTIONS = 64;
const KEEP_ALIVE_MS = 30_000;
const CONNECT_TIMEOUT_MS = 1_000;

/** HTTP to the other services with kept connections (an undici `Pool` for each). */
export class HttpTransport implements ServiceTransport {
  private readonly pools = new Map<ServiceName, Pool>();

  constructor(private readonly urls: ServiceUrls) {}

  async request(service: ServiceName, request: TransportRequest): Promise<TransportAnswer> {
    const { method, path, headers, body, timeoutMs } = request;
    const answer = await this.pool(service).request({
      method,
      path,
      headers: { ...headers },
      body: body ?? null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  }

  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private pool(service: ServiceName): Pool {
    const known = this.pools.get(service);
    if (known) return known;
    const url = this.urls[service];
    if (!url) throw new Error(`${service.toUpperCase()}_URL is not set, so ${service} cannot be called`);
    const pool = new Pool(new URL(url).origin, {
      connections: CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
    this.pools.set(service, pool);
    return pool;
  }
}
