import { CheckoutBrowser, type Shown } from '../../testing/checkout-browser.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

const MINUTE_MS = 60_000;

describeCheckout('the single use of the hosted page (PAGE-2)', (play) => {
  const cookieOf = ({ headers }: Shown) => String(headers['set-cookie']);

  it('given a fresh token, when it is opened, then the answer has the page, its cookie, and a policy that loads nothing', async () => {
    const { shown, order, id } = await play.opened();
    expect([shown.status, shown.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(cookieOf(shown)).toMatch(
      new RegExp(
        `^fundrail_checkout_${id}=[\\w-]{43}; Path=/api/pg/payments/netbanking/sdkvendor; Max-Age=7200; HttpOnly; SameSite=Lax$`,
      ),
    );
    const policy = String(shown.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://app.example;");
    expect(shown.html).toContain('Operator is the official facilitator of this transaction.');
    expect(shown.html).toContain('Pay ₹5,000.00');
    expect(shown.html).toContain(`Mutual fund order ${order.old_id}`);
    expect(shown.html).toContain('<svg');
    expect(shown.html).toMatch(/href="upi:\/\/pay\?[^"]*am=5000\.00/);
    expect(shown.html).toContain('data-clock role="timer">30:00<');
    expect(shown.html).toMatch(/<option value="HDFC" selected/);
  });

  it('given an opened page, when the browser reloads it, then it is shown again, and no second order was created', async () => {
    const { browser, url } = await play.opened();
    const orders = play.stage.checkout.orderRequests.length;
    const again = await browser.open(url);
    expect([again.status, again.headers['set-cookie']]).toEqual([200, undefined]);
    expect(again.html).toContain('<svg');
    expect(play.stage.checkout.orderRequests).toHaveLength(orders);
  });

  it('given an opened page, when another browser opens it, then it is used (410), even with another payment’s cookie (PAGE-4)', async () => {
    const { url } = await play.opened();
    const other = await play.opened();
    const shown = await other.browser.open(url);
    expect([shown.status, shown.html.includes('This link has already been used')]).toEqual([410, true]);
    expect(shown.headers['set-cookie']).toBeUndefined();
  });

  it('given two browsers, when both open the link at the same time, then only one gets the page', async () => {
    const { url } = await play.created();
    const both = await Promise.all([1, 2].map(() => new CheckoutBrowser(play.stage).open(url)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  });

  it.each<[string, number, 'GET' | 'HEAD', Record<string, string>]>([
    ['HEAD', 200, 'HEAD', {}],
    ['a prefetch', 503, 'GET', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
    ['an older prefetch', 503, 'GET', { purpose: 'prefetch' }],
    ['a frame', 403, 'GET', { 'sec-fetch-dest': 'iframe' }],
    ['a script', 403, 'GET', { 'sec-fetch-dest': 'empty' }],
  ])('given %s, when it comes first, then the token is not used up', async (_, status, method, headers) => {
    const { url } = await play.created();
    const browser = new CheckoutBrowser(play.stage);
    const early = await browser.send(method, url, headers);
    expect([early.status, early.headers['set-cookie']]).toEqual([status, undefined]);
    expect((await browser.open(url)).status).toBe(200);
  });

  it('given a token that was not used, when 15 minutes have passed, then it has expired (410) (PAGE-4)', async () => {
    const { id, url } = await play.created();
    await play.stage.pass(15 * MINUTE_MS);
    const shown = await new CheckoutBrowser(play.stage).open(url);
    expect([shown.status, shown.html.includes('This link has expired')]).toEqual([410, true]);
    await play.stage.until(id, ({ failure_code }) => failure_code === 'payment_expired');
    expect((await new CheckoutBrowser(play.stage).open(url)).status).toBe(410);
  });

  it('given an opened page, when 15 minutes have passed, then it is shown until 30 minutes after the creation, and then posts back in its tenant’s words (TIME-5, COMP-6)', async () => {
    const { id, url, browser } = await play.opened();
    await play.stage.pass(29 * MINUTE_MS);
    expect((await browser.open(url)).html).toContain('data-clock role="timer">1:00<');
    await play.stage.pass(MINUTE_MS);
    await play.stage.until(id, ({ failure_code }) => failure_code === 'payment_expired');
    expect((await browser.open(url)).html).toContain('value="payment_expired"');
    const { settings } = play.stage.neighbours;
    Object.assign(settings, { compatibility: 'upstream' });
    play.passTenantFacts();
    expect((await browser.open(url)).html).toContain('value="fp_payment_expired"');
    Object.assign(settings, { compatibility: null });
    play.passTenantFacts();
  });

  it.each([
    ['nothing', () => ''],
    ['something else', () => '1.abc'],
    ['an altered token', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['another id', (token: string) => token.replace(/^\d+/, (id) => String(Number(id) + 1))],
  ])('given %s as txnId, when it is opened, then there is no such payment (404)', async (_, change) => {
    const { token } = await play.created();
    const url = `/api/pg/payments/netbanking/sdkvendor?${new URLSearchParams({ txnId: change(token) }).toString()}`;
    const shown = await new CheckoutBrowser(play.stage).open(url);
    expect([shown.status, shown.html.includes('Payment not found')]).toEqual([404, true]);
  });

  it('given a payment that the client cancelled, when its link is opened, then it has ended (410) (PAGE-4)', async () => {
    const { id, url } = await play.created();
    await play.stage.send('POST', `/api/pg/payments/${id}/cancel`);
    const shown = await new CheckoutBrowser(play.stage).open(url);
    expect([shown.status, shown.html.includes('This payment has ended')]).toEqual([410, true]);
  });

  it('given that identity does not answer, when the link is opened, then the page shows that and the token stays valid', async () => {
    const { url } = await play.created();
    // The cached settings of the tenant are used for half an hour.
    play.passTenantFacts(1_803_000);
    play.stage.neighbours.silent.add('identity');
    const shown = await new CheckoutBrowser(play.stage).open(url);
    expect([shown.status, shown.html.includes('Your link is still valid')]).toEqual([503, true]);
    play.stage.neighbours.silent.clear();
    expect((await new CheckoutBrowser(play.stage).open(url)).status).toBe(200);
  });

  it('given that identity stops answering after the token was used, when the page is sent, then its browser has the cookie', async () => {
    const { url } = await play.created();
    play.stage.neighbours.silent.add('identity');
    const browser = new CheckoutBrowser(play.stage);
    const shown = await browser.open(url);
    expect(cookieOf(shown)).toContain('fundrail_checkout_');
    play.stage.neighbours.silent.clear();
    expect((await browser.open(url)).status).toBe(200);
  });
});

describeCheckout(
  'the cookie of the hosted page over https',
  (play) => {
    it('is one that no other host can set, and a cookie of a neighbouring host changes nothing', async () => {
      const { id, url, shown } = await play.opened();
      const [cookie = ''] = String(shown.headers['set-cookie']).split(';');
      expect(shown.headers['set-cookie']).toBe(
        `${cookie}; Path=/; Secure; Max-Age=7200; HttpOnly; SameSite=Lax`,
      );
      expect(cookie).toMatch(new RegExp(`^__Host-fundrail_checkout_${id}=[\\w-]{43}$`));
      const visit = (value: string) => play.stage.service.fastify.inject({ url, headers: { cookie: value } });
      expect((await visit(`fundrail_checkout_${id}=evil; ${cookie}`)).statusCode).toBe(200);
      expect((await visit(`fundrail_checkout_${id}=evil`)).statusCode).toBe(410);
    });

    it('is read without the prefix too, for a page that an earlier release has opened', async () => {
      const { id, url, shown } = await play.opened();
      const session = /=([\w-]{43});/.exec(String(shown.headers['set-cookie']))?.[1];
      const headers = { cookie: `fundrail_checkout_${id}=${session}` };
      expect((await play.stage.service.fastify.inject({ url, headers })).statusCode).toBe(200);
    });
  },
  { PUBLIC_BASE_URL: 'https://pay.example.com' },
);
