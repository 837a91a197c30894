import { jest } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { CheckoutBrowser, type Shown } from '../testing/checkout-browser.ts';
import { NOT_FOUND, SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';
import { MOST_ATTEMPTS } from './attempt.ts';

const MINUTE_MS = 60_000;

describe('the hosted checkout page', () => {
  const realNow = performance.now.bind(performance);
  const now = jest.spyOn(performance, 'now');
  let passedMs = 0;
  let stage: PaymentsStage;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
  });
  afterAll(async () => {
    now.mockRestore();
    await stage.end();
  });
  beforeEach(() => {
    stage.checkout.onIntent.set(null);
    stage.checkout.onCollect.set({ kind: 'yes', value: null });
    stage.checkout.onNetbanking.set(null);
    stage.checkout.onOrder.set(null);
    stage.sdkvendor.onStatus.set({ kind: 'yes', value: { status: 'waiting' } });
    stage.neighbours.settings.upi_collect_enabled = true;
    stage.neighbours.silent.clear();
  });

  const created = async (changes: object = {}) => {
    const order = stage.neighbours.anOrder();
    const answer = await stage.checkOut([order], changes);
    if (answer.status !== 200) throw new Error(answer.body);
    const { id, token_url } = answer.json<{ id: number; token_url: string }>();
    const url = new URL(token_url);
    return { id, order, url: url.pathname + url.search, token: url.searchParams.get('txnId') ?? '' };
  };
  const opened = async (changes: object = {}) => {
    const payment = await created(changes);
    const browser = new CheckoutBrowser(stage);
    return { ...payment, browser, shown: await browser.open(payment.url) };
  };
  const cookieOf = ({ headers }: Shown) => String(headers['set-cookie']);

  describe('its single use (contract §10 "Payments")', () => {
    it('given a fresh token, when it is opened, then it is the page, its cookie, and a policy that loads nothing', async () => {
      const { shown, order, id } = await opened();
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

    it('given an opened page, when the browser reloads it, then it is there, and no second order was made', async () => {
      const { browser, url } = await opened();
      const orders = stage.checkout.asked.length;
      const again = await browser.open(url);
      expect([again.status, again.headers['set-cookie']]).toEqual([200, undefined]);
      expect(again.html).toContain('<svg');
      expect(stage.checkout.asked).toHaveLength(orders);
    });

    it('given an opened page, when another browser comes, then it is used (410), another payment’s cookie notwithstanding', async () => {
      const { url } = await opened();
      const other = await opened();
      const shown = await other.browser.open(url);
      expect([shown.status, shown.html.includes('This link was used already')]).toEqual([410, true]);
      expect(shown.headers['set-cookie']).toBeUndefined();
    });

    it('given two at the same instant, when both open it, then one does', async () => {
      const { url } = await created();
      const both = await Promise.all([1, 2].map(() => new CheckoutBrowser(stage).open(url)));
      expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
    });

    it.each<[string, number, 'GET' | 'HEAD', Record<string, string>]>([
      ['HEAD', 200, 'HEAD', {}],
      ['a prefetch', 503, 'GET', { 'sec-purpose': 'prefetch', 'sec-fetch-dest': 'document' }],
      ['an older prefetch', 503, 'GET', { purpose: 'prefetch' }],
      ['a frame', 403, 'GET', { 'sec-fetch-dest': 'iframe' }],
      ['a script', 403, 'GET', { 'sec-fetch-dest': 'empty' }],
    ])('given %s, when it comes first, then the token is not used up', async (_, status, method, headers) => {
      const { url } = await created();
      const browser = new CheckoutBrowser(stage);
      const early = await browser.send(method, url, headers);
      expect([early.status, early.headers['set-cookie']]).toEqual([status, undefined]);
      expect((await browser.open(url)).status).toBe(200);
    });

    it('given a token that nobody opened, when 15 minutes have passed, then it has expired (410), never a 500', async () => {
      const { id, url } = await created();
      await stage.pass(15 * MINUTE_MS);
      const shown = await new CheckoutBrowser(stage).open(url);
      expect([shown.status, shown.html.includes('This link has expired')]).toEqual([410, true]);
      await stage.until(id, ({ failure_code }) => failure_code === 'payment_expired');
      expect((await new CheckoutBrowser(stage).open(url)).status).toBe(410);
    });

    it('given an opened page, when 15 minutes have passed, then it is still there until 30 from the creation', async () => {
      const { id, url, browser } = await opened();
      await stage.pass(29 * MINUTE_MS);
      expect((await browser.open(url)).html).toContain('data-clock role="timer">1:00<');
      await stage.pass(MINUTE_MS);
      await stage.until(id, ({ failure_code }) => failure_code === 'payment_expired');
      expect((await browser.open(url)).html).toContain('value="payment_expired"');
    });

    it.each([
      ['nothing', () => ''],
      ['something else', () => '1.abc'],
      ['an altered token', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
      ['another id', (token: string) => token.replace(/^\d+/, (id) => String(Number(id) + 1))],
    ])('given %s as txnId, when it is opened, then there is no such payment (404)', async (_, change) => {
      const { token } = await created();
      const url = `/api/pg/payments/netbanking/sdkvendor?${new URLSearchParams({ txnId: change(token) }).toString()}`;
      const shown = await new CheckoutBrowser(stage).open(url);
      expect([shown.status, shown.html.includes('No such payment')]).toEqual([404, true]);
    });

    it('given a payment that the client cancelled, when its link is opened, then it is over (410)', async () => {
      const { id, url } = await created();
      await stage.send('POST', `/api/pg/payments/${id}/cancel`);
      const shown = await new CheckoutBrowser(stage).open(url);
      expect([shown.status, shown.html.includes('This payment has ended')]).toEqual([410, true]);
    });

    it('given that identity does not answer, when it is opened, then it says so and the token stays good', async () => {
      const { url } = await created();
      passTenantFacts();
      stage.neighbours.silent.add('identity');
      const shown = await new CheckoutBrowser(stage).open(url);
      expect([shown.status, shown.html.includes('your link is still good')]).toEqual([503, true]);
      stage.neighbours.silent.clear();
      expect((await new CheckoutBrowser(stage).open(url)).status).toBe(200);
    });
  });

  describe('its forms', () => {
    it.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['another origin', { origin: 'https://evil.example' }],
      ['nowhere', {}],
    ])(
      'given a post from %s, when it comes with the cookie, then it is refused (403) and does nothing',
      async (_, headers) => {
        const { id, token, browser } = await opened();
        expect((await browser.press(token, { action: 'cancel' }, headers)).status).toBe(403);
        expect((await stage.get(id)).status).toBe('PENDING');
      },
    );

    it('given a post without the cookie, when it comes, then it is refused and does nothing', async () => {
      const { id, token } = await opened();
      expect((await new CheckoutBrowser(stage).press(token, { action: 'cancel' })).status).toBe(403);
      expect((await stage.get(id)).status).toBe('PENDING');
    });

    it('given a UPI ID, when it is sent, then the app is asked, and the other ways are locked until it is laid aside', async () => {
      const { token, browser } = await opened();
      const waits = await browser.press(token, { action: 'collect', vpa: ' rahul.verma@okaxis ' });
      expect(stage.checkout.collectedFrom.at(-1)).toBe('rahul.verma@okaxis');
      expect(waits.html).toContain('ra***@okaxis');
      expect(waits.html).not.toMatch(/rahul\.verma|<svg|name="bank"/);
      const chooses = await browser.press(token, { action: 'choose' });
      expect(chooses.html).toMatch(/<svg[^]*name="vpa"[^]*name="bank"/);
    });

    it('given what is no UPI ID, when it is sent, then the field says so and keeps what was typed (422)', async () => {
      const { token, browser } = await opened();
      const asked = stage.checkout.collectedFrom.length;
      const shown = await browser.press(token, { action: 'collect', vpa: 'nobody"here' });
      expect(shown.status).toBe(422);
      expect(shown.html).toContain('value="nobody&quot;here"');
      expect(shown.html).toMatch(/aria-invalid="true"\s+aria-describedby="vpa-error vpa-hint"/);
      expect(shown.html).toContain('Enter a UPI ID such as name@bank.');
      expect(stage.checkout.collectedFrom).toHaveLength(asked);
    });

    it('given a UPI ID that nobody has, when it is sent, then the page says so and the payment goes on', async () => {
      const { id, token, browser } = await opened();
      stage.checkout.onCollect.set({ kind: 'no', failure_code: 'invalid_upi_id', message: 'no such VPA' });
      const shown = await browser.press(token, { action: 'collect', vpa: 'unknown@upi' });
      expect(shown.html).toContain('This UPI ID does not exist.');
      expect(shown.html).toContain('name="vpa"');
      expect((await stage.get(id)).status).toBe('PENDING');
    });

    it('given no answer to a collect request, when the page is shown, then it waits: the request may be out', async () => {
      const { token, browser } = await opened();
      stage.checkout.onCollect.set(SILENCE);
      const shown = await browser.press(token, { action: 'collect', vpa: 'rahul@upi' });
      expect(shown.html).toContain('Approve the request in your UPI app');
    });

    it('given a tenant whose policy forbids collect, when the page is shown, then it has no such form, and a post asks nobody', async () => {
      stage.neighbours.settings.upi_collect_enabled = false;
      passTenantFacts();
      const { token, browser, shown } = await opened();
      const asked = stage.checkout.collectedFrom.length;
      expect(shown.html).not.toContain('name="vpa"');
      await browser.press(token, { action: 'collect', vpa: 'rahul@upi' });
      expect(stage.checkout.collectedFrom).toHaveLength(asked);
      passTenantFacts();
    });

    it('given a bank, when it is chosen, then the page leads there once by itself, and the bank back to our capture route', async () => {
      const { id, url, token, browser } = await opened();
      const shown = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
      const link = /<a\s+class="button main"\s+href="([^"]+)"[^>]*data-auto/.exec(shown.html)?.[1] ?? '';
      const bank = new URL(link.replaceAll('&amp;', '&'));
      expect(bank.origin).toBe('https://bank.example');
      expect(bank.searchParams.get('bank')).toBe('HDFC');
      expect(bank.searchParams.get('back')).toBe(
        `http://127.0.0.1:3000/api/pg/payments/netbanking/sdkvendor/capture/${id}`,
      );
      const again = await browser.open(url);
      expect(again.html).toContain('Continue to HDFC Bank');
      expect(again.html).not.toMatch(/<a[^>]*data-auto/);
    });

    it.each(['', 'EVIL'])(
      'given "%s" as bank, when it is chosen, then the field says so (422)',
      async (bank) => {
        const { token, browser } = await opened();
        const shown = await browser.press(token, { action: 'netbanking', bank });
        expect([shown.status, shown.html.includes('Choose your bank.')]).toEqual([422, true]);
      },
    );

    it('given an address that is no bank’s, when the provider answers it, then nobody is sent there', async () => {
      const { token, browser } = await opened();
      stage.checkout.onNetbanking.set({ kind: 'yes', value: { redirect_url: 'javascript:alert(1)' } });
      const shown = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
      expect([shown.status, shown.html.includes('javascript:')]).toEqual([503, false]);
      expect(shown.html).toContain('name="bank"');
    });

    it('given a payment by net banking, when its page is opened, then it offers banks and nothing else', async () => {
      const { shown } = await opened({ method: 'NETBANKING' });
      expect(shown.html).toContain('name="bank"');
      expect(shown.html).not.toMatch(/<svg|name="vpa"|upi:\/\//);
    });

    it.each([
      ['the order', () => stage.checkout.onOrder.set(SILENCE)],
      ['the QR code', () => stage.checkout.onIntent.set(SILENCE)],
      [
        'a QR code over another amount',
        () => stage.checkout.onIntent.set({ kind: 'yes', value: { uri: 'upi://pay?pa=a&am=1.00&cu=INR' } }),
      ],
      ['anything it knows of', () => stage.checkout.onIntent.set(NOT_FOUND)],
    ])(
      'given no answer to %s, when the page is opened, then it offers to try again, and that works',
      async (_, break_) => {
        break_();
        const { token, browser, shown } = await opened();
        expect([shown.status, shown.html.includes('<svg')]).toEqual([200, false]);
        stage.checkout.onIntent.set(null);
        stage.checkout.onOrder.set(null);
        expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
      },
    );

    it('given very many tries, when one more comes, then it is refused (429) and nobody is asked', async () => {
      const { token, browser } = await opened();
      for (let tries = 1; tries < MOST_ATTEMPTS; tries += 1)
        await browser.press(token, { action: 'collect', vpa: 'victim@upi' });
      const asked = stage.checkout.collectedFrom.length;
      expect((await browser.press(token, { action: 'collect', vpa: 'victim@upi' })).status).toBe(429);
      expect(stage.checkout.collectedFrom).toHaveLength(asked);
    });

    it('given the investor cancels, when the provider has closed it, then the way back says so with our signature', async () => {
      const { id, token, browser } = await opened();
      const shown = await browser.press(token, { action: 'cancel' });
      expect((await stage.get(id)).failure_code).toBe('user_cancelled');
      expect(shown.html).toMatch(/action="https:\/\/app\.example\/back"\s+data-auto/);
      const text = `${id}|failure|user_cancelled|The payment was cancelled.`;
      expect(shown.html).toContain(createHmac('sha256', 'secret').update(text).digest('hex'));
    });

    it('given the provider does not say, when the investor cancels, then the page says that (503) and waits', async () => {
      const { id, token, browser } = await opened();
      stage.sdkvendor.onCancel.set(SILENCE);
      const shown = await browser.press(token, { action: 'cancel' });
      stage.sdkvendor.onCancel.set({ kind: 'yes', value: null });
      expect([shown.status, shown.html.includes('does not answer')]).toEqual([503, true]);
      expect((await stage.get(id)).status).toBe('PENDING');
    });
  });

  it('given a QR code for 10 minutes, when its time is over, then the page offers a new one (contract §3 "Times")', async () => {
    const { url, token, browser } = await opened();
    await stage.pass(10 * MINUTE_MS);
    const over = await browser.open(url);
    expect([over.html.includes('<svg'), over.html.includes('value="intent"')]).toEqual([false, true]);
    expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
  });

  describe('its live status', () => {
    // The provider of this stage says the same of every payment, so these have one of their own.
    beforeAll(async () => {
      await stage.end();
      stage = await PaymentsStage.start();
    });

    const address = (token: string) => `/api/pg/payments/netbanking/sdkvendor/status?txnId=${token}`;

    it('given the money has come, when it is asked, then the state is another, and the page is the way back', async () => {
      const { id, url, token, browser } = await opened();
      const before = (await browser.send('GET', address(token))).html;
      stage.sdkvendor.onStatus.set({ kind: 'yes', value: capturedAs(`pay_${id}`, '5000') });
      await stage.pass(5_000);
      await stage.until(id, ({ status }) => status === 'SUCCESS');
      expect((await browser.send('GET', address(token))).html).not.toBe(before);
      const shown = await browser.open(url);
      expect(shown.html).toContain('We have received ₹5,000.00.');
      expect(shown.html).toContain(createHmac('sha256', 'secret').update(`${id}|success||`).digest('hex'));
    });

    it('given the cookie, when it is asked, then it tells the state of the page and the time that is left', async () => {
      const { token, browser, shown } = await opened();
      const answer = await browser.send('GET', address(token));
      const { state, seconds_left } = JSON.parse(answer.html) as { state: string; seconds_left: number };
      expect(shown.html).toContain(`data-state="${state}"`);
      expect(seconds_left).toBe(1800);
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('given no cookie, when it is asked, then it is nobody’s (404)', async () => {
      const { token } = await opened();
      expect((await new CheckoutBrowser(stage).send('GET', address(token))).status).toBe(404);
    });
  });

  describe('its language', () => {
    it('given a browser that speaks Hindi, when the page is opened, then it is Hindi, with a switch to English', async () => {
      const { url } = await created();
      const browser = new CheckoutBrowser(stage);
      const shown = await browser.open(url, { 'accept-language': 'hi-IN,hi;q=0.9' });
      expect(shown.html).toContain('<html lang="hi">');
      expect(shown.html).toContain('₹5,000.00 का भुगतान करें');
      const link = /href="([^"]+)"\s+lang="en"/.exec(shown.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
      expect((await browser.open(link, { 'accept-language': 'hi' })).html).toContain('Pay ₹5,000.00');
    });
  });

  /** The tenant's settings are kept for two seconds of the process's time: let it pass. */
  function passTenantFacts(): void {
    passedMs += 3_000;
    now.mockImplementation(() => realNow() + passedMs);
  }
});
