import { seedFacts } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { SimulatorConfig } from '../config.ts';

/** The path of the simulated buyer app's `payment_postback_url`. */
const POSTED_BACK = '/sandbox/checkout/done';

type Fields = Readonly<Record<string, unknown>>;
type Call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object) => Promise<Fields>;

/** The ISIN of a real scheme; the sandbox accepts any Indian mutual fund. Amount in rupees. */
const PURCHASE = { scheme: 'INF209K01VD7', amount: 5000 };
// The simulated gateway reviews immediately, but a machine under load may need a moment.
const REVIEW_LIMIT_MS = 10_000;
const CHECK_EVERY_MS = 50;
const TIMEOUT_MS = 5_000;

/** Simulates the seeded client's app. It calls the public API through the edge with a token, as a new client would. */
@Injectable()
export class BuyerApp {
  constructor(
    private readonly services: ServiceClient,
    private readonly config: SimulatorConfig,
  ) {}

  /** Creates an order and a payment for it without `upi`, and returns its `token_url`. Throws when a call is refused. */
  async freshTokenUrl(): Promise<string> {
    const path = '/internal/seed';
    const seed = await this.services.call('identity', { method: 'GET', path, answer: seedFacts });
    const call = await this.signIn(seed.tenant, seed.client);
    const { mf_investment_account, consent } = seed;
    const { id, old_id } = await call('POST', '/v2/mf_purchases', { mf_investment_account, ...PURCHASE });
    await reviewed(call, String(id));
    await call('PATCH', '/v2/mf_purchases', { id, consent });
    const payment = await call('POST', '/api/pg/payments/netbanking', {
      amc_order_ids: [old_id],
      payment_postback_url: `${this.config.publicBaseUrl}${POSTED_BACK}`,
    });
    return String(payment['token_url']);
  }

  private async signIn(tenant: string, client: { client_id: string; client_secret: string }): Promise<Call> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...client });
    const token = await this.ask(`/v2/auth/${tenant}/token`, { method: 'POST', body: form });
    const authorization = `Bearer ${String(token['access_token'])}`;
    return (method, path, body) => {
      const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
      return this.ask(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    };
  }

  /** The callback base URL is also the address of the edge for this process. */
  private async ask(path: string, request: RequestInit): Promise<Fields> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const answer = await fetch(`${this.config.callbackBaseUrl}${path}`, { ...request, signal });
    if (!answer.ok) throw new Error(`${request.method ?? 'GET'} ${path} answered ${answer.status}`);
    return (await answer.json()) as Fields;
  }
}

async function reviewed(call: Call, id: string): Promise<void> {
  const end = performance.now() + REVIEW_LIMIT_MS;
  while ((await call('GET', `/v2/mf_purchases/${id}`))['state'] === 'under_review') {
    if (performance.now() > end) throw new Error('the review took too long');
    await pause(CHECK_EVERY_MS);
  }
}
