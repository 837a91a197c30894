import { inject } from '@fundrail/testing';
import type { PaymentsStage } from './start-payments.ts';

export interface Shown {
  readonly status: number;
  readonly html: string;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
}

/** An investor's browser over `inject`: stores cookies, follows our redirects, and sends the headers of a same-origin form. */
export class CheckoutBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly stage: PaymentsStage) {}

  /** Opens an address as a page in its own tab. */
  async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.send('GET', url, { 'sec-fetch-dest': 'document', ...headers });
  }

  /** Submits a form of the page that `token` belongs to. */
  async press(
    token: string,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Shown> {
    const form = new URLSearchParams({ txnId: token, lang: 'en', ...fields });
    const answer = await this.send('POST', '/api/pg/payments/netbanking/sdkvendor', headers, form);
    return answer.status === 303 ? this.open(String(answer.headers['location'])) : answer;
  }

  async send(
    method: 'GET' | 'POST' | 'HEAD',
    address: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string | URLSearchParams,
  ): Promise<Shown> {
    const { pathname, search } = new URL(address, 'http://127.0.0.1:3000');
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = pathname + search;
    const sent = typeof body === 'string' ? { raw: body } : { body };
    const around = { method, url, ...sent, headers: { ...headers, ...(cookie === '' ? {} : { cookie }) } };
    const answer = await inject(this.stage.service, around);
    for (const { name, value } of answer.cookies) this.cookies.set(name, value);
    return { status: answer.status, html: answer.text, headers: answer.headers };
  }
}
