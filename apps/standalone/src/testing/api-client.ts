/** An answer as it came. `body` is parsed JSON, and the text itself when it is none. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface Credentials {
  readonly tenant: string;
  readonly id: string;
  readonly secret: string;
}

/** A tenant's client: every call with its token, every answer as it came. */
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

  post(path: string, body: object): Promise<ApiAnswer> {
    return this.call('POST', path, body);
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
    // Pages and empty answers are no JSON; the test looks at `text`.
  }
  return { status: response.status, headers: response.headers, text, body };
}
