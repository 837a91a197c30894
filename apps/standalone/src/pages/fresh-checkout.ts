import { routeFor } from '@fundrail/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { refuse, type Handler } from '../edge/edge.ts';
import type { Services } from '../services.ts';
import { POSTED_BACK } from './posted-back.page.ts';
import { SCHEME, type Newcomer } from './first-calls.ts';

/** Where the start page's link leads. */
export const FRESH_CHECKOUT = '/checkout';

type Fields = Readonly<Record<string, unknown>>;
// The simulated gateway reviews at once; a machine under load may need a moment.
const REVIEW_LIMIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * `GET /checkout`, in the sandbox only: does the newcomer's calls up to a payment without `upi`, and goes on to its
 * `token_url`, so that the hosted page can be seen without a terminal. A HEAD makes nothing.
 */
export function freshCheckout(services: Services, newcomer: Newcomer): Handler {
  return (request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(204).end();
    freshTokenUrl(services, newcomer).then(
      (location) => response.writeHead(303, { location, 'cache-control': 'no-store' }).end(),
      () => refuse(request, response, 'SERVICE_UNAVAILABLE'),
    );
  };
}

async function freshTokenUrl(services: Services, newcomer: Newcomer): Promise<string> {
  const app = await signIn(services, newcomer);
  const { id, old_id } = await app('POST', '/v2/mf_purchases', {
    mf_investment_account: newcomer.investmentAccount,
    scheme: SCHEME,
    amount: 5000,
  });
  const end = performance.now() + REVIEW_LIMIT_MS;
  while ((await app('GET', `/v2/mf_purchases/${String(id)}`))['state'] === 'under_review') {
    if (performance.now() > end) throw new Error('the review takes too long');
    await pause(LOOK_EVERY_MS);
  }
  await app('PATCH', '/v2/mf_purchases', { id, consent: newcomer.consent });
  const payment = await app('POST', '/api/pg/payments/netbanking', {
    amc_order_ids: [old_id],
    payment_postback_url: `${newcomer.baseUrl}${POSTED_BACK}`,
  });
  return String(payment['token_url']);
}

type Call = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object) => Promise<Fields>;

async function signIn(services: Services, newcomer: Newcomer): Promise<Call> {
  const { tenant, clientId: client_id, clientSecret: client_secret } = newcomer;
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const token = await ask(services, 'POST', `/v2/auth/${tenant}/token`, form.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
  const authorization = `Bearer ${String(token['access_token'])}`;
  return (method, url, body) =>
    body
      ? ask(services, method, url, JSON.stringify(body), {
          authorization,
          'content-type': 'application/json',
        })
      : ask(services, method, url, '', { authorization });
}

async function ask(
  services: Services,
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  payload: string,
  headers: Readonly<Record<string, string>>,
): Promise<Fields> {
  const service = services.running.get(routeFor(url, true) ?? 'payments');
  const answer = await service?.fastify.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  if (answer?.statusCode !== 200)
    throw new Error(`${method} ${url} answered ${answer?.statusCode ?? 'nothing'}`);
  return answer.json<Fields>();
}
