import { parseJson, stringifyJson } from '@fundrail/contracts';
import { Pool, request } from 'undici';
import type { Dispatcher } from 'undici';

/** What came back over the wire, before anybody asks what it means. `body` is parsed JSON, or undefined when it is none. */
export type WireAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: unknown }
  | { readonly kind: 'silence'; readonly detail: string };

export interface GatewaypoaClientOptions {
  /** Where gatewaypoa is, without its `/gatewaypoa/…` paths: `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Replaces the client's own connection pool, for example in tests. Not closed by the client. */
  readonly dispatcher?: Dispatcher;
  /** The whole call, from connecting to the last byte. */
  readonly timeoutMs?: number;
}

// Long enough for a slow gateway, short enough that a due worker's lease (10 s) outlives the call.
const TIMEOUT_MS = 5_000;
// One process never needs more calls at once than its due worker runs.
const CONNECTIONS = 32;
const LARGEST_ANSWER_BYTES = 1_048_576;

interface Call {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** HTTP to gatewaypoa: one connection pool, the API key, the time-out, the idempotency key. Never throws for what the other side does. */
export class GatewaypoaClient {
  readonly #base: string;
  readonly #options: GatewaypoaClientOptions;
  readonly #dispatcher: Dispatcher;

  constructor(options: GatewaypoaClientOptions) {
    this.#options = options;
    this.#base = options.baseUrl.replace(/\/$/, '');
    const poolOptions = { connections: CONNECTIONS, maxResponseSize: LARGEST_ANSWER_BYTES };
    this.#dispatcher = options.dispatcher ?? new Pool(new URL(options.baseUrl).origin, poolOptions);
  }

  get(path: string): Promise<WireAnswer> {
    return this.#call(path, { method: 'GET', headers: {} });
  }

  /** `key` is our own id of the thing: the same key twice has one effect over there. */
  post(path: string, key: string, body: object): Promise<WireAnswer> {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    return this.#call(path, { method: 'POST', headers, body: stringifyJson(body) });
  }

  async close(): Promise<void> {
    if (!this.#options.dispatcher) await this.#dispatcher.close();
  }

  async #call(path: string, call: Call): Promise<WireAnswer> {
    const { apiKey } = this.#options;
    try {
      const answer = await request(`${this.#base}/gatewaypoa${path}`, {
        ...call,
        headers: { ...call.headers, authorization: `Bearer ${apiKey}`, accept: 'application/json' },
        dispatcher: this.#dispatcher,
        signal: AbortSignal.timeout(this.#options.timeoutMs ?? TIMEOUT_MS),
      });
      return { kind: 'answered', status: answer.statusCode, body: jsonOrNothing(await answer.body.text()) };
    } catch (error) {
      return {
        kind: 'silence',
        detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      };
    }
  }
}

function jsonOrNothing(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
