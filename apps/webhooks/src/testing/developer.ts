import { one } from '@fundrail/service-kit/http';
import { inject, type InjectedAnswer } from '@fundrail/testing';
import type { WebhooksStage } from './webhooks-stage.ts';

export type Shown = Pick<InjectedAnswer, 'status' | 'headers' | 'text'>;

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
    return this.ask({ method: 'POST', url, body: new URLSearchParams(form), headers });
  }

  private async ask(request: Parameters<typeof inject>[1]): Promise<Shown> {
    const headers = { ...request.headers, ...(this.cookie !== '' && { cookie: this.cookie }) };
    const answer = await inject(this.stage.service, { ...request, headers });
    const set = one(answer.headers['set-cookie']);
    if (set !== '') this.cookie = set.split(';', 1)[0] ?? '';
    return answer;
  }
}
