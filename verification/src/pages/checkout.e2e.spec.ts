import { createHmac } from 'node:crypto';
import { overhang, picture } from '../testing/browser.ts';
import type { Look } from '../testing/checkout-page.ts';
import { CheckoutStage } from '../testing/checkout-stage.ts';
import { describeProducts } from '../testing/products.ts';
import { ok, untilPayment } from '../testing/purchase.ts';

describeProducts('the hosted checkout page, in Chromium', (start) => {
  let stage: CheckoutStage;
  beforeAll(async () => {
    stage = await CheckoutStage.open(start);
  });
  afterAll(() => stage.close());

  it('given a UPI ID, when it is sent, then the page waits, soundly, and leads back once it is paid', async () => {
    const look: Look = { screen: 'desktop' };
    const { investor, page, client, id } = await stage.opened(look);
    await page.locator('#vpa').fill('timeout@upi');
    await investor.button('collect').click();
    await page.locator('#waiting').waitFor();
    await investor.sound('checkout-waiting-upi', look);
    await page.locator('button[value=choose]').click();
    await page.locator('.qr').waitFor();
    ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }));
    await page.locator('form[data-auto]').waitFor();
    await investor.sound('checkout-success', look);
    expect(await investor.postback()).toMatchObject({
      paymentId: String(id),
      status: 'success',
      failureCode: '',
    });
    // Checked as docs/checkout.md describes, with the secret that the sandbox shows.
    const { postback_secret } = ok(await client.get('/sandbox/seed')).body;
    const { paymentId, status, failureCode, failureReason, signature } = investor.posted[0] ?? {};
    const text = [paymentId, status, failureCode, failureReason].join('|');
    expect(signature).toBe(createHmac('sha256', String(postback_secret)).update(text).digest('hex'));
    await investor.leave();
  });

  it('given Hindi chosen on the page, when the bank sends the investor back, then the page back is in Hindi, soundly', async () => {
    const look: Look = { screen: 'phone' };
    const { investor, page, client, id } = await stage.opened(look);
    await page.getByRole('link', { name: 'हिन्दी' }).click();
    expect(await page.locator('#bank').inputValue()).not.toBe('');
    await page.locator('#bank').selectOption('HDFC');
    await investor.button('netbanking').click();
    await page.waitForURL((address) => !address.pathname.endsWith('/netbanking/sdkvendor'));
    await picture(page, 'checkout-bank-phone-en');
    await page.locator('button[value=approve]').click();
    await page.locator('form[data-auto]').waitFor();
    await untilPayment(client, id, 'SUCCESS');
    expect(await investor.postback()).toMatchObject({ paymentId: String(id), status: 'success' });
    expect(await page.locator('html').getAttribute('lang')).toBe('hi');
    await investor.sound('checkout-way-back-from-bank', { ...look, language: 'hi' });
    await investor.leave();
  });

  it('given the sandbox, when a fresh checkout is asked for, then it can be paid, and the buyer app is notified', async () => {
    const investor = await stage.at({ screen: 'desktop' });
    const { page } = investor;
    await investor.open(`${stage.product.url}/sandbox/checkout`);
    await page.locator('.qr svg').waitFor();
    await page.locator('#vpa').fill('success@upi');
    await investor.button('collect').click();
    await page.getByRole('heading', { name: 'Back in the buyer app' }).waitFor();
    await picture(page, 'checkout-posted-back-desktop-en');
    expect(await page.locator('dl').innerText()).toMatch(/status\s+success/);
    expect([await overhang(page), await investor.violations()]).toEqual([0, []]);
    expect(investor.complaints).toEqual([]);
    await investor.leave();
  });
});
