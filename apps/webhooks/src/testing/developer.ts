import { one } from '@fundrail/service-kit/http';
import type { WebhooksStage } from './webhooks-stage.ts';

export interface Shown {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A developer's browser at the dashboard: it stores the cookie and sends the origin of its forms. */
export class Developer {
  cookie = '';

  constructor(private readonly stage: WebhooksStage) {}

  /** A signed-in developer. */
  static of(stage: WebhooksStage, tenant = 'demo'): Developer {
    const developer = new Developer(stage);
    developer.cookie = `fundrail_webhooks=${stage.issuer.token(tenant)}`;
    return developer;
  }

  async get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.ask({ method: 'GET', url, headers });
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Shown> {
    const payload = new URLSearchParams(form).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    return this.ask({ method: 'POST', url, payload, headers: { ...type, ...headers } });
  }

  private async ask(request: {
    readonly method: 'GET' | 'POST';
    readonly url: string;
    readonly payload?: string;
    readonly headers: Readonly<Record<string, string>>;
  }): Promise<Shown> {
    const headers = { ...request.headers, ...(this.cookie !== '' && { cookie: this.cookie }) };
    const answer = await this.stage.service.fastify.inject({ ...request, headers });
    const set = one(answer.headers['set-cookie']);
    if (set !== '') this.cookie = set.split(';', 1)[0] ?? '';
    return { status: answer.statusCode, headers: answer.headers, text: answer.payload };
  }
}
