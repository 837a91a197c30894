import { InvestorBrowser, Transcript } from '@fundrail/standalone';
import { waitFor } from '@fundrail/testing';
import type { ApiClient } from '../testing/api-client.ts';
import { getRoutes } from '../testing/get-routes.ts';
import { laxHeadersOf } from '../testing/lax-headers.ts';
import { describeStandalone, type Product } from '../testing/products.ts';
import { createOrder, freshCheckout, ok, payableOrder, payablePayment } from '../testing/purchase.ts';

/** An answer of text/html. */
interface PageAnswer {
  readonly route: string;
  readonly status: number;
  readonly lax: readonly string[];
}

describeStandalone('the headers of every page', (start) => {
  let product: Product;
  let client: ApiClient;
  let routes: string[];
  beforeAll(async () => {
    [product, routes] = await Promise.all([start(), getRoutes()]);
    client = await product.client();
  });
  afterAll(() => product.stop());

  async function ask(
    route: string,
    address: string,
    headers: Record<string, string> = {},
  ): Promise<PageAnswer[]> {
    const answer = await fetch(new URL(address, product.url), {
      redirect: 'manual',
      headers: { accept: 'text/html', ...headers },
    });
    await answer.body?.cancel();
    if (!answer.headers.get('content-type')?.startsWith('text/html')) return [];
    return [{ route, status: answer.status, lax: laxHeadersOf(Object.fromEntries(answer.headers)) }];
  }

  /** The kinds of callers: without a token, a client's program, a developer in the dashboard. */
  const callers = (): Record<string, string>[] => [
    {},
    { authorization: `Bearer ${client.token}` },
    { cookie: `fundrail_webhooks=${client.token}` },
  ];

  /** For each page, an address that shows its content. */
  async function pages(): Promise<Record<string, string>> {
    const hook = { url: 'http://localhost:9/away', events: ['mf_purchase.*'] };
    const endpoint = String(ok(await client.post('/v2/notification_webhooks', hook)).body['id']);
    const upi = await payablePayment(client, [await payableOrder(client)]);
    return {
      '/': '/',
      '/docs': '/docs',
      '/docs/': '/docs/',
      '/docs/guides': '/docs/guides',
      '/docs/guides/': '/docs/guides/first-purchase',
      '/webhooks': '/webhooks',
      '/webhooks/endpoints': '/webhooks/endpoints',
      '/webhooks/endpoints/:id': `/webhooks/endpoints/${endpoint}`,
      '/webhooks/deliveries/:id': `/webhooks/deliveries/${await deliveryTo(endpoint)}`,
      '/api/pg/payments/netbanking/sdkvendor': (await freshCheckout(client)).url,
      '/sandbox/upi/:payment_id': `/sandbox/upi/${upi}`,
      '/sandbox/bank/:id': await bankPage(),
      '/sandbox/checkout/done': '/sandbox/checkout/done',
    };
  }

  async function deliveryTo(endpoint: string): Promise<string> {
    await createOrder(client);
    const path = `/v2/notification_webhooks/${endpoint}/deliveries`;
    const [delivery] = await waitFor(
      async () => {
        const { data } = ok(await client.get(path)).body as { data: { id: string }[] };
        return data.length > 0 ? data : null;
      },
      { what: 'a delivery' },
    );
    return String(delivery?.id);
  }

  async function bankPage(): Promise<string> {
    const { url } = await freshCheckout(client);
    const browser = new InvestorBrowser(product.url, new URL(url).origin, new Transcript(() => undefined));
    const chosen = await browser.submit(await browser.get(url), 'netbanking', { bank: 'HDFC' });
    return browser.linkIn(chosen, '/sandbox/bank/');
  }

  it('name what it may load, allow inline code only by its hash, and forbid frames', async () => {
    expect(routes.length).toBeGreaterThan(60);
    const shown = await pages();
    // A page answers an unknown id with a page too.
    const unknown = (route: string) => route.replaceAll(/:\w+|\*/g, '999999');
    const tries = routes.flatMap((route) =>
      callers().flatMap((headers) =>
        [unknown(route), ...(shown[route] === undefined ? [] : [shown[route]])].map((address) => ({
          route,
          address,
          headers,
        })),
      ),
    );
    const answers: PageAnswer[] = [];
    for (const { route, address, headers } of tries) answers.push(...(await ask(route, address, headers)));

    expect(answers.filter(({ lax }) => lax.length > 0)).toEqual([]);
    const served = answers.filter(({ status }) => status === 200).map(({ route }) => route);
    expect([...new Set(served)].sort()).toEqual(Object.keys(shown).sort());
    // A page without an address above was only tested for refusals. That is right for unknown paths alone.
    const refusing = answers.map(({ route }) => route).filter((route) => !(route in shown));
    expect([...new Set(refusing)]).toEqual(['/webhooks/*']);
  });
});
