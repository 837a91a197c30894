import type { Browser } from 'playwright-core';
import { openBrowser } from '../testing/browser.ts';
import { Investor, LOOKS, type Look } from '../testing/checkout-page.ts';
import { describeStandalone, type Product } from '../testing/products.ts';
import { ok, seedOf, untilPayment } from '../testing/purchase.ts';

describeStandalone('how the page of a mandate looks, in Chromium', (start) => {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    [product, browser] = await Promise.all([start(), openBrowser()]);
    const settings = { sdk_options_enabled: true };
    ok(await (await product.operator()).patch('/admin/tenants/demo/settings', settings));
  });
  afterAll(() => Promise.all([browser.close(), product.stop()]));

  const opened = async (look: Look, mandate_type: 'UPI' | 'E_MANDATE') => {
    const client = await product.client();
    const { bank_account_id } = await seedOf(client);
    const body = { mandate_type, bank_account_id, provider_name: 'SDKVENDOR', mandate_limit: 5000 };
    const mandate = ok(await client.post('/api/pg/mandates', body)).body['id'];
    const asked = { mandate_id: mandate, payment_postback_url: 'http://localhost:8080/done' };
    const { id, token_url } = ok(await client.post('/api/pg/payments/emandate/auth', asked)).body;
    const investor = await Investor.at(browser, look, new URL(product.url).origin);
    expect(await investor.open(String(token_url))).toBe(200);
    return { client, payment: Number(id), investor, page: investor.page };
  };

  it.each(LOOKS)(
    'given Autopay on a %s, in %s, when it is allowed in the UPI app, then the page shows that, soundly',
    async (_screen, language, look) => {
      const { client, payment, investor, page } = await opened(look, 'UPI');
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.locator('h1').innerText()).toContain('₹5,000.00');
      expect(await page.locator('.qr svg').isVisible()).toBe(look.screen === 'desktop');
      expect(await page.locator('a[href^="upi://mandate?"]').isVisible()).toBe(look.screen === 'phone');
      await investor.sound('mandate-autopay', look);
      ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
      await page.locator('form[data-auto]').waitFor();
      await investor.sound('mandate-allowed', look);
      expect(await investor.postback()).toMatchObject({ paymentId: String(payment), status: 'success' });
      await investor.leave();
    },
  );

  it.each(LOOKS)(
    'given an e-mandate on a %s, in %s, when the bank is chosen and refuses, then each page is sound',
    async (_screen, _language, look) => {
      const { client, payment, investor, page } = await opened(look, 'E_MANDATE');
      expect(await page.locator('.qr').count()).toBe(0);
      await investor.sound('mandate-bank', look);
      await investor.button('netbanking').click();
      await page.locator('button[value=decline]').click();
      await page.locator('.notice').waitFor();
      await investor.sound('mandate-refused', look);
      expect((await client.get(`/api/pg/payments/${payment}`)).body['status']).toBe('PENDING');
      await page.locator('a.button').click();
      await page.locator('.cancel summary').click();
      await investor.button('cancel').click();
      await page.locator('form[data-auto]').waitFor();
      await untilPayment(client, payment, 'FAILED');
      await investor.sound('mandate-cancelled', look);
      await investor.leave();
    },
  );
});
