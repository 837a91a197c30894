import { routeFor } from '@fundrail/contracts';
import { Pool } from 'undici';
import type { ServiceUrls } from '../lib/services.ts';

/** More than are ever under way, so that none waits for another. */
const CONNECTIONS = 256;

/** Where requests enter the product: its edge, or without one each service by the routing table. */
export class Front implements AsyncDisposable {
  readonly #services: ServiceUrls;
  readonly #edge: string | null;
  readonly #pools = new Map<string, Pool>();

  constructor(services: ServiceUrls, edge: string | null) {
    this.#services = services;
    this.#edge = edge;
  }

  /** Returns the answer's text. Rejects unless it is a success. */
  async send(
    method: 'POST' | 'PATCH',
    path: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<string> {
    const answer = await this.#poolFor(path).request({
      method,
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const pool of this.#pools.values()) await pool.destroy();
  }

  #poolFor(path: string): Pool {
    const service = routeFor(path, false);
    if (service === null) throw new Error(`${path} has no route`);
    const url = this.#edge ?? this.#services[service];
    const known = this.#pools.get(url) ?? new Pool(url, { connections: CONNECTIONS });
    this.#pools.set(url, known);
    return known;
  }
}
