import { InvestorBrowser, Transcript } from '@fundrail/standalone';
import { waitFor } from '@fundrail/testing';
import type { ApiClient } from './testing/api-client.ts';
import { describeProducts, type Product } from './testing/products.ts';
import { ok, seedOf, untilPayment } from './testing/purchase.ts';

/** MAN-14: `token_url` is the hosted page when neither a URI nor a collect request is requested. */
describeProducts('a mandate that is authorised on the hosted page', (start) => {
  let product: Product;
  let client: ApiClient;
  beforeAll(async () => {
    product = await start();
    client = await product.client();
    const settings = { sdk_options_enabled: true };
    ok(await (await product.operator()).patch('/admin/tenants/demo/settings', settings));
  });
  afterAll(() => product.stop());

  const started = async (mandate_type: 'UPI' | 'E_MANDATE', provider_name: 'SDKVENDOR' | 'GATEWAYPOA') => {
    const { bank_account_id } = await seedOf(client);
    const body = { mandate_type, bank_account_id, provider_name, mandate_limit: 5000 };
    const mandate = Number(ok(await client.post('/api/pg/mandates', body)).body['id']);
    const asked = { mandate_id: mandate, payment_postback_url: 'http://localhost:8080/done' };
    const answer = ok(await client.post('/api/pg/payments/emandate/auth', asked)).body;
    const tokenUrl = String(answer['token_url']);
    const quiet = new Transcript(() => undefined);
    const browser = new InvestorBrowser(product.url, new URL(tokenUrl).origin, quiet);
    return { mandate, payment: Number(answer['id']), answer, tokenUrl, browser };
  };
  const untilApproved = (mandate: number) =>
    waitFor(
      async () => (await client.get(`/api/pg/mandates/${mandate}`)).body['mandate_status'] === 'APPROVED',
      { limitMs: 60_000, what: `mandate ${mandate} to be APPROVED` },
    );

  it('an e-mandate: at the bank, and back with a signed postback', async () => {
    const { mandate, payment, answer, tokenUrl, browser } = await started('E_MANDATE', 'SDKVENDOR');
    expect(answer['sdk_options']).toMatchObject({ method: { emandate: true } });
    const page = await browser.get(tokenUrl);
    expect(page.html).toContain('Authorise debits of up to ₹5,000.00');
    const chosen = await browser.submit(page, 'netbanking', { bank: 'HDFC' });
    const bank = await browser.get(browser.linkIn(chosen, '/sandbox/bank/'));
    const postback = await browser.submit(await browser.submit(bank, 'approve'));
    expect(browser.fieldsOf(postback)).toMatchObject({ paymentId: String(payment), status: 'success' });
    await untilPayment(client, payment, 'SUCCESS');
    await untilApproved(mandate);
  });

  it('an e-mandate that the investor refuses at the bank: the page offers it again', async () => {
    const { payment, tokenUrl, browser } = await started('E_MANDATE', 'SDKVENDOR');
    const chosen = await browser.submit(await browser.get(tokenUrl), 'netbanking', { bank: 'HDFC' });
    const bank = await browser.get(browser.linkIn(chosen, '/sandbox/bank/'));
    const back = await browser.submit(await browser.submit(bank, 'decline'));
    expect(back.html).toContain('Authorisation attempt failed');
    expect((await client.get(`/api/pg/payments/${payment}`)).body['status']).toBe('PENDING');
    ok(await client.post(`/api/pg/payments/${payment}/cancel`, {}));
  });

  it.each(['SDKVENDOR', 'GATEWAYPOA'] as const)(
    'Autopay of %s: by the QR code of the page',
    async (provider) => {
      const { mandate, payment, answer, tokenUrl, browser } = await started('UPI', provider);
      expect('sdk_options' in answer).toBe(provider === 'SDKVENDOR');
      const page = await browser.get(tokenUrl);
      expect(page.html).toContain('href="upi://mandate?');
      ok(await client.post(`/api/pg/simulate/payments/${payment}`, { status: 'SUCCESS' }));
      await untilPayment(client, payment, 'SUCCESS');
      await untilApproved(mandate);
      const after = await browser.get(tokenUrl);
      expect(after.html).toContain('Mandate authorised');
      expect(browser.fieldsOf(after)['status']).toBe('success');
    },
  );
});
