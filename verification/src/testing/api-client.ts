import { setTimeout as pause } from 'node:timers/promises';

const FOLLOW_EVERY_MS = 200;

/** An answer as it arrived. `body` is the parsed JSON, or the text itself when it is not JSON. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

interface Credentials {
  readonly tenant: string;
  readonly id: string;
  readonly secret: string;
}

/** A tenant's client: sends its token with every call, and returns every answer as it arrived. */
export class ApiClient {
  private constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  static async signIn(url: string, { tenant, id, secret }: Credentials): Promise<ApiClient> {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id,
      client_secret: secret,
    });
    const answer = await read(await fetch(`${url}/v2/auth/${tenant}/token`, { method: 'POST', body: form }));
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return new ApiClient(url, String(answer.body['access_token']));
  }

  async call(
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<ApiAnswer> {
    return read(
      await fetch(`${this.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      }),
    );
  }

  get(path: string): Promise<ApiAnswer> {
    return this.call('GET', path);
  }

  /** If the sandbox's clock is still moving after the answer, waits until it has stopped. */
  async post(path: string, body: object): Promise<ApiAnswer> {
    const answer = await this.call('POST', path, body);
    const { follow } = answer.body;
    if (answer.status !== 202 || typeof follow !== 'string') return answer;
    for (;;) {
      const now = await this.get(follow);
      if (now.body['state'] === 'failed') throw new Error(`the clock stopped: ${now.text}`);
      if (now.body['state'] === 'reached') return now;
      await pause(FOLLOW_EVERY_MS);
    }
  }

  patch(path: string, body: object): Promise<ApiAnswer> {
    return this.call('PATCH', path, body);
  }
}

async function read(response: Response): Promise<ApiAnswer> {
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Pages and empty answers are not JSON; the test reads `text`.
  }
  return { status: response.status, headers: response.headers, text, body };
}
