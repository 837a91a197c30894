import { tenantOf } from '@fundrail/testing';
import { createHmac } from 'node:crypto';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { NOT_FOUND, SILENCE } from '../../testing/fake-provider.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';
import { MOST_ATTEMPTS } from './attempt.ts';

describeCheckout('the forms of the hosted page', (play) => {
  it.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])(
    'given a post from %s, when it comes with the cookie, then it is refused (403) and does nothing',
    async (_, headers) => {
      const { id, token, browser } = await play.opened();
      expect((await browser.press(token, { action: 'cancel' }, headers)).status).toBe(403);
      expect((await play.stage.get(id)).status).toBe('PENDING');
    },
  );

  it('given a post without the cookie, when it comes, then it is refused and does nothing', async () => {
    const { id, token } = await play.opened();
    expect((await new CheckoutBrowser(play.stage).press(token, { action: 'cancel' })).status).toBe(403);
    expect((await play.stage.get(id)).status).toBe('PENDING');
  });

  it('given a UPI ID, when it is sent, then a request goes to the app, and the other ways are locked until the investor chooses another one', async () => {
    const { token, browser } = await play.opened();
    const waits = await browser.press(token, { action: 'collect', vpa: ' rahul.verma@okaxis ' });
    expect(play.stage.checkout.collectedFrom.at(-1)).toBe('rahul.verma@okaxis');
    expect(waits.html).toContain('ra***@okaxis');
    expect(waits.html).not.toMatch(/rahul\.verma|<svg|name="bank"/);
    const chooses = await browser.press(token, { action: 'choose' });
    expect(chooses.html).toMatch(/<svg[^]*name="vpa"[^]*name="bank"/);
  });

  it('given an invalid UPI ID, when it is sent, then the field shows the error and keeps what was typed (422)', async () => {
    const { token, browser } = await play.opened();
    const asked = play.stage.checkout.collectedFrom.length;
    const shown = await browser.press(token, { action: 'collect', vpa: 'not"valid' });
    expect(shown.status).toBe(422);
    expect(shown.html).toContain('value="not&quot;valid"');
    expect(shown.html).toMatch(/aria-invalid="true"\s+aria-describedby="vpa-error vpa-hint"/);
    expect(shown.html).toContain('Enter a valid UPI ID, for example name@bank.');
    expect(play.stage.checkout.collectedFrom).toHaveLength(asked);
  });

  it('given a UPI ID that does not exist, when it is sent, then the page shows that and the payment goes on', async () => {
    const { id, token, browser } = await play.opened();
    play.stage.checkout.onCollect.set({ kind: 'no', failure_code: 'invalid_upi_id', message: 'no such VPA' });
    const shown = await browser.press(token, { action: 'collect', vpa: 'unknown@upi' });
    expect(shown.html).toContain('This UPI ID does not exist.');
    expect(shown.html).toContain('name="vpa"');
    expect((await play.stage.get(id)).status).toBe('PENDING');
  });

  it('given no answer to a collect request, when the page is shown, then it waits: the request may have been sent', async () => {
    const { token, browser } = await play.opened();
    play.stage.checkout.onCollect.set(SILENCE);
    const shown = await browser.press(token, { action: 'collect', vpa: 'rahul@upi' });
    expect(shown.html).toContain('Approve the request in your UPI app');
  });

  it('given a collect request that was not sent, when the page is shown, then it does not wait, but shows the error and offers the ways (503)', async () => {
    const { token, browser } = await play.opened();
    const held = { why: 'not_sent', detail: 'the calls before have failed', retry_after_ms: 10_000 } as const;
    play.stage.checkout.onCollect.set({ kind: 'unknown', ...held });
    const shown = await browser.press(token, { action: 'collect', vpa: 'rahul@upi' });
    expect([shown.status, shown.html.includes('Approve the request')]).toEqual([503, false]);
    expect(shown.html).toContain('name="vpa"');
  });

  it('given a tenant whose policy forbids collect, when the page is shown, then it has no such form, and a post sends no request (PAGE-8)', async () => {
    play.stage.neighbours.settings.upi_collect_enabled = false;
    play.passTenantFacts();
    const { token, browser, shown } = await play.opened();
    const asked = play.stage.checkout.collectedFrom.length;
    expect(shown.html).not.toContain('name="vpa"');
    await browser.press(token, { action: 'collect', vpa: 'rahul@upi' });
    expect(play.stage.checkout.collectedFrom).toHaveLength(asked);
    play.passTenantFacts();
  });

  it.each([
    ['a phone', 'Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile', true],
    ['iOS', 'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X)', true],
    ['a tablet', 'Mozilla/5.0 (Linux; Android 16; SM-X910) Chrome/140.0 Safari/537.36', true],
    ['an iPad in its default form', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/26.0', false],
    ['a desktop', 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', false],
  ])(
    'given the exemption ios_or_mobile_web, when %s opens the page, then it has the field and takes its post, or neither (FLOW-4)',
    async (_, agent, collects) => {
      const { settings } = play.stage.neighbours;
      const { policies } = tenantOf('demo').settings;
      Object.assign(settings, {
        policies: { ...policies, upi_collect: { exemption: 'ios_or_mobile_web' } },
      });
      play.passTenantFacts();
      const [{ url, token }, browser] = [await play.created(), new CheckoutBrowser(play.stage)];
      const { html } = await browser.open(url, { 'user-agent': agent });
      expect(html.includes('name="vpa"')).toBe(collects);
      const asked = play.stage.checkout.collectedFrom.length;
      const headers = { 'sec-fetch-site': 'same-origin', 'user-agent': agent };
      await browser.press(token, { action: 'collect', vpa: 'rahul@upi' }, headers);
      expect(play.stage.checkout.collectedFrom).toHaveLength(asked + (collects ? 1 : 0));
      Object.assign(settings, { policies });
      play.passTenantFacts();
    },
  );

  it('given a bank, when it is chosen, then the page redirects there once by itself, and the bank leads back to our capture route', async () => {
    const { id, url, token, browser } = await play.opened();
    const shown = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    const link = /<a\s+class="button main"\s+href="([^"]+)"[^>]*data-auto/.exec(shown.html)?.[1] ?? '';
    const bank = new URL(link.replaceAll('&amp;', '&'));
    expect(bank.origin).toBe('https://bank.example');
    expect(bank.searchParams.get('bank')).toBe('HDFC');
    expect(bank.searchParams.get('back')).toBe(
      `http://127.0.0.1:3000/api/pg/payments/netbanking/sdkvendor/capture/${id}?lang=en`,
    );
    const again = await browser.open(url);
    expect(again.html).toContain('Continue to HDFC Bank');
    expect(again.html).not.toMatch(/<a[^>]*data-auto/);
  });

  it.each(['', 'EVIL'])(
    'given "%s" as bank, when it is chosen, then the field shows the error (422)',
    async (bank) => {
      const { token, browser } = await play.opened();
      const shown = await browser.press(token, { action: 'netbanking', bank });
      expect([shown.status, shown.html.includes('Select your bank.')]).toEqual([422, true]);
    },
  );

  it('given an address that is not a bank’s, when the provider answers with it, then the investor is not sent there', async () => {
    const { token, browser } = await play.opened();
    play.stage.checkout.onNetbanking.set({ kind: 'yes', value: { redirect_url: 'javascript:alert(1)' } });
    const shown = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    expect([shown.status, shown.html.includes('javascript:')]).toEqual([503, false]);
    expect(shown.html).toContain('name="bank"');
  });

  it('given a payment by net banking, when its page is opened, then it offers banks and nothing else', async () => {
    const { shown } = await play.opened({ method: 'NETBANKING' });
    expect(shown.html).toContain('name="bank"');
    expect(shown.html).not.toMatch(/<svg|name="vpa"|upi:\/\//);
  });

  it.each([
    ['the order', () => play.stage.checkout.onOrder.set(SILENCE)],
    ['the QR code', () => play.stage.checkout.onIntent.set(SILENCE)],
    [
      'a QR code over another amount',
      () =>
        play.stage.checkout.onIntent.set({
          kind: 'yes',
          value: { uri: 'upi://pay?pa=a&pn=b&tr=c&am=1.00&cu=INR' },
        }),
    ],
    ['the QR code but that the order is unknown', () => play.stage.checkout.onIntent.set(NOT_FOUND)],
  ])(
    'given no answer to %s, when the page is opened, then it offers to try again, and that works',
    async (_, breakProvider) => {
      breakProvider();
      const { token, browser, shown } = await play.opened();
      expect([shown.status, shown.html.includes('<svg')]).toEqual([200, false]);
      play.stage.checkout.onIntent.set(null);
      play.stage.checkout.onOrder.set(null);
      expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
    },
  );

  it('given the maximum of attempts, when one more comes, then it is refused (429) and no request is sent', async () => {
    const { token, browser } = await play.opened();
    for (let tries = 1; tries < MOST_ATTEMPTS; tries += 1)
      await browser.press(token, { action: 'collect', vpa: 'victim@upi' });
    const asked = play.stage.checkout.collectedFrom.length;
    expect((await browser.press(token, { action: 'collect', vpa: 'victim@upi' })).status).toBe(429);
    expect(play.stage.checkout.collectedFrom).toHaveLength(asked);
  });

  it('given the investor cancels, when the provider has closed it, then the page leads back to the client with the signed result', async () => {
    const { id, token, browser } = await play.opened();
    const shown = await browser.press(token, { action: 'cancel' });
    expect((await play.stage.get(id)).failure_code).toBe('user_cancelled');
    expect(shown.html).toMatch(/action="https:\/\/app\.example\/back"\s+data-auto/);
    const text = `${id}|failure|user_cancelled|The payment was cancelled.`;
    expect(shown.html).toContain(createHmac('sha256', 'secret').update(text).digest('hex'));
  });

  it('given the provider does not answer, when the investor cancels, then the page shows that (503) and waits', async () => {
    const { id, token, browser } = await play.opened();
    play.stage.sdkvendor.onCancel.set(SILENCE);
    const shown = await browser.press(token, { action: 'cancel' });
    play.stage.sdkvendor.onCancel.set({ kind: 'yes', value: null });
    expect([shown.status, shown.html.includes('is not responding')]).toEqual([503, true]);
    expect((await play.stage.get(id)).status).toBe('PENDING');
  });

  it('given a provider that refuses the order, when the page is opened, then the payment fails, and the page shows that and offers no way to pay', async () => {
    const { id, url } = await play.created();
    const message = 'Order amount less than minimum amount allowed';
    play.stage.checkout.onOrder.set({ kind: 'no', failure_code: 'pg_server_error', message });
    const shown = await new CheckoutBrowser(play.stage).open(url);
    expect([shown.status, shown.html.includes('value="pg_server_error"')]).toEqual([200, true]);
    expect(shown.html).not.toContain('name="action"');
    expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'pg_server_error' });
    expect(await play.stage.events(id)).toContain('payment.failed');
  });
});
