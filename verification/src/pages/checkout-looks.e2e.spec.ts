import { picture, SCREENS } from '../testing/browser.ts';
import { LOOKS, type Investor, type Look } from '../testing/checkout-page.ts';
import { CheckoutStage } from '../testing/checkout-stage.ts';
import { describeStandalone } from '../testing/products.ts';
import { freshCheckout, ok, untilPayment } from '../testing/purchase.ts';

describeStandalone('how the hosted checkout page looks, in Chromium', (start) => {
  let stage: CheckoutStage;
  beforeAll(async () => {
    stage = await CheckoutStage.open(start);
  });
  afterAll(() => stage.close());

  describe.each(LOOKS)('on a %s, in %s', (_screen, language, look) => {
    it('given a fresh payment, when it is opened, then it shows the ways to pay, soundly', async () => {
      const { investor, page } = await stage.opened(look, [5000, 12_345.67]);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      expect(await page.locator('h1').innerText()).toContain('₹17,345.67');
      expect(await page.locator('.qr svg').isVisible()).toBe(look.screen === 'desktop');
      expect(await page.locator('a[href^="upi://pay?"]').isVisible()).toBe(look.screen === 'phone');
      if (look.screen === 'phone') await page.locator('.fold summary').click();
      expect(await page.locator('.qr svg').isVisible()).toBe(true);
      await investor.sound('checkout-choose', look);
      await page.locator('.cancel summary').click();
      await investor.sound('checkout-cancel', look);
      await investor.leave();
    });

    it('given an invalid UPI ID, when it is sent, then the field shows the error, soundly', async () => {
      const { investor, page } = await stage.opened(look);
      await page.locator('#vpa').fill('no upi id');
      await investor.button('collect').click();
      await page.locator('#vpa-error').waitFor();
      expect(await page.evaluate('document.activeElement.id')).toBe('vpa');
      // Chromium logs the status 422 to its console.
      investor.complaints.length = 0;
      await investor.sound('checkout-wrong-upi-id', look);
      await investor.leave();
    });

    it('given a UPI ID, when it is sent, then the page waits, soundly, and leads back once it is paid', async () => {
      const { investor, page, client, id } = await stage.opened(look);
      await page.locator('#vpa').fill('timeout@upi');
      await investor.button('collect').click();
      await page.locator('#waiting').waitFor();
      await investor.sound('checkout-waiting-upi', look);
      await page.locator('button[value=choose]').click();
      await page.locator('.fold').waitFor();
      ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }));
      await page.locator('form[data-auto]').waitFor();
      await investor.sound('checkout-success', look);
      expect(await investor.postback()).toMatchObject({
        paymentId: String(id),
        status: 'success',
        failureCode: '',
      });
      await investor.leave();
    });

    it('given the investor cancels, when it is confirmed, then the page back states that, soundly', async () => {
      const { investor, page, client, id } = await stage.opened(look);
      await page.locator('.cancel summary').click();
      await investor.button('cancel').click();
      await page.locator('form[data-auto]').waitFor();
      await untilPayment(client, id, 'FAILED');
      await investor.sound('checkout-cancelled', look);
      expect(await investor.postback()).toMatchObject({ status: 'failure', failureCode: 'user_cancelled' });
      await investor.leave();
    });

    it('given links that are not valid, when they are followed, then each shows a clear page, soundly', async () => {
      const { url } = await stage.opened(look);
      for (const [name, address, status] of [
        ['used', url, 410],
        ['unknown', url.replace(/txnId=\d+/, 'txnId=1'), 404],
      ] as const) {
        const other = await stage.at(look);
        expect([name, await other.open(address)]).toEqual([name, status]);
        other.complaints.length = 0;
        await other.sound(`checkout-${name}`, look);
        await other.leave();
      }
    });
  });

  it('given no mouse, when the investor uses the keyboard alone, then a UPI ID can be sent', async () => {
    const { investor, page } = await stage.opened({ screen: 'desktop' });
    for (let tabs = 0; tabs < 20; tabs += 1) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline).not.toBe('none');
      if ((await page.evaluate('document.activeElement.id')) === 'vpa') break;
    }
    await page.keyboard.type('timeout@upi');
    await page.keyboard.press('Enter');
    await page.locator('#waiting').waitFor();
    await investor.leave();
  });

  it.each(Object.keys(SCREENS) as (keyof typeof SCREENS)[])(
    'given no JavaScript on a %s, when the page is opened, then QR, forms, reload and the way back work (PAGE-7)',
    async (screen) => {
      const { investor, page, client, id } = await stage.opened({ screen, script: false });
      expect(await page.locator('.qr svg').isVisible()).toBe(true);
      await picture(page, `checkout-no-script-${screen}-en`);
      ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }));
      await untilPayment(client, id, 'SUCCESS');
      await page.getByRole('button', { name: 'I have paid: check status' }).click();
      await page.getByRole('button', { name: 'Back to the app' }).click();
      expect(investor.posted[0]).toMatchObject({ paymentId: String(id), status: 'success' });
      expect(investor.complaints).toEqual([]);
      await investor.leave();
    },
  );

  it('given a dark system, when the page is shown, then it is dark, and sound', async () => {
    const look: Look = { screen: 'phone', colors: 'dark' };
    const { investor } = await stage.opened(look);
    await picture(investor.page, 'checkout-dark-phone-en');
    expect(await investor.violations()).toEqual([]);
    await investor.leave();
  });

  it('given the switch of languages, when it is pressed, then the page is in the other one', async () => {
    const { investor, page } = await stage.opened({ screen: 'phone', language: 'hi' });
    await page.getByRole('link', { name: 'English' }).click();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await page.locator('.fold').isVisible()).toBe(true);
    await investor.leave();
  });

  describe.each([
    ['phone', 'en'],
    ['desktop', 'hi'],
  ] as const)('the rarer pages, on a %s, in %s', (screen, language) => {
    const look: Look = { screen, language };
    const expectPage = async (investor: Investor, name: string, status: number, arrived: number) => {
      expect([name, arrived]).toEqual([name, status]);
      // Chromium logs statuses from 400 on to its console.
      investor.complaints.length = 0;
      await investor.sound(`checkout-${name}`, look);
      await investor.leave();
    };

    it('given a bank was chosen, when the investor comes back without paying, then the page waits, soundly', async () => {
      const { investor, page, url } = await stage.opened(look);
      await investor.button('netbanking').click();
      await page.locator('button[value=approve]').waitFor();
      await expectPage(investor, 'waiting-bank', 200, await investor.open(url));
    });

    it('given a payment that the client cancelled, when its link is opened, then it is over, soundly', async () => {
      const client = await stage.product.client();
      const { id, url } = await freshCheckout(client);
      ok(await client.post(`/api/pg/payments/${id}/cancel`, {}));
      const investor = await stage.at(look);
      await expectPage(investor, 'over', 410, await investor.open(url));
    });

    it('given a prefetch, when it comes, then the page states that nothing was opened, soundly', async () => {
      const investor = await stage.at(look);
      await investor.page.setExtraHTTPHeaders({ 'sec-purpose': 'prefetch' });
      await expectPage(
        investor,
        'not-opened',
        503,
        await investor.open((await freshCheckout(await stage.product.client())).url),
      );
    });

    it('given a form of another site, when it is posted, then it is refused, soundly', async () => {
      const { investor, page, client, id, url } = await stage.opened(look);
      const token = new URL(url).searchParams.get('txnId') ?? '';
      await page.goto('about:blank');
      await page.setContent(
        `<form method="post" action="${url.split('?')[0] ?? ''}"><input name="txnId" value="${token}"><button name="action" value="cancel">x</button></form>`,
      );
      const [answer] = await Promise.all([
        page.waitForResponse(url.split('?')[0] ?? ''),
        page.click('button'),
      ]);
      await page.locator('.notice').waitFor();
      expect((await client.get(`/api/pg/payments/${id}`)).body['status']).toBe('PENDING');
      await expectPage(investor, 'refused', 403, answer.status());
    });

    it('given an unused link that is 16 minutes old, when it is followed, then it has expired, soundly', async () => {
      const client = await stage.product.client();
      const { url } = await freshCheckout(client);
      ok(await client.post('/sandbox/clock', { advance: 'PT16M' }));
      const investor = await stage.at(look);
      await expectPage(investor, 'expired', 410, await investor.open(url));
    });
  });
});
