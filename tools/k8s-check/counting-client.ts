import { request } from 'undici';
import { ApiClient, type ApiAnswer } from '../../verification/src/testing/api-client.ts';

/** The clients' results in one part of the check. */
export interface Figures {
  requests: number;
  /** No answer, or a 5xx, or a 429: what a client would have to send again. */
  failed: number;
  slowest_ms: number;
  /** The first few failures, for the report. */
  readonly failures: string[];
}

const KEPT_FAILURES = 5;
/** A request that takes longer counts as failed; the edge itself gives up a service after 2 s that does not accept. */
const TIMEOUT_MS = 30_000;
/** Less than the half hour that a token lives. */
const TOKEN_LIVES_MS = 20 * 60_000;

const emptyFigures = (): Figures => ({ requests: 0, failed: 0, slowest_ms: 0, failures: [] });

/**
 * The sandbox's client over the node port, which counts every answer. Each request has a connection of its own: a kept one that
 * closes just as a request is sent fails it in the client, which must retry it; the server cannot prevent that.
 */
export class CountingClient {
  figures = emptyFigures();
  readonly url: string;
  #signedIn: Promise<ApiClient> | null = null;
  #until = 0;

  constructor(url: string) {
    this.url = url;
  }

  get token(): string {
    throw new Error('asked for with each request');
  }

  /** Returns the counts so far and resets them. */
  cut(): Figures {
    const { figures } = this;
    this.figures = emptyFigures();
    return figures;
  }

  get(path: string): Promise<ApiAnswer> {
    return this.call('GET', path);
  }

  post(path: string, body: object): Promise<ApiAnswer> {
    return this.call('POST', path, body);
  }

  patch(path: string, body: object): Promise<ApiAnswer> {
    return this.call('PATCH', path, body);
  }

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    const { token } = await this.#client();
    const startedAt = performance.now();
    const { figures } = this;
    figures.requests += 1;
    try {
      const answer = await send(`${this.url}${path}`, token, { method, body, headers });
      if (answer.status >= 500 || answer.status === 429)
        this.#note(figures, `${method} ${path} ${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string };
      this.#note(figures, `${method} ${path} ${code} ${message}`);
      throw error;
    } finally {
      figures.slowest_ms = Math.max(figures.slowest_ms, Math.round(performance.now() - startedAt));
    }
  }

  #note(figures: Figures, what: string): void {
    figures.failed += 1;
    if (figures.failures.length < KEPT_FAILURES) figures.failures.push(`${new Date().toISOString()} ${what}`);
  }

  #client(): Promise<ApiClient> {
    if (this.#signedIn && Date.now() < this.#until) return this.#signedIn;
    this.#until = Date.now() + TOKEN_LIVES_MS;
    const credentials = { tenant: 'demo', id: 'demo', secret: 'demo-secret' };
    this.#signedIn = ApiClient.signIn(this.url, credentials).catch((error: unknown) => {
      this.#until = 0;
      this.#note(this.figures, `sign in: ${String(error)}`);
      throw error;
    });
    return this.#signedIn;
  }
}

/** What one request says, apart from its address and its token. */
interface Call {
  readonly method: string;
  readonly body: object | undefined;
  readonly headers: Record<string, string>;
}

async function send(url: string, token: string, { method, body, headers }: Call): Promise<ApiAnswer> {
  const answer = await request(url, {
    method,
    reset: true,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: new Headers(), text, body: parsed(text) };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
