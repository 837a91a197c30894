import { waitFor } from '@fundrail/testing';
import { picture } from '../testing/browser.ts';
import { LOOKS, type Look } from '../testing/checkout-page.ts';
import { CheckoutStage } from '../testing/checkout-stage.ts';
import { describeStandalone } from '../testing/products.ts';
import { ok, untilPayment } from '../testing/purchase.ts';

const PHONE: Look = { screen: 'phone' };

describeStandalone('the hosted checkout page when the investor comes back to it, in Chromium', (start) => {
  let stage: CheckoutStage;
  beforeAll(async () => {
    stage = await CheckoutStage.open(start);
  });
  afterAll(() => stage.close());

  /** An open page whose timers the test controls, and a count of its status requests. */
  const watched = async () => {
    const opened = await stage.opened(PHONE);
    const { page, url } = opened;
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/status?') && asked.push(request.url()));
    await page.clock.install();
    await page.goto(url);
    const hide = (hidden: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${hidden} });
         document.dispatchEvent(new Event('visibilitychange'));`,
      );
    const askedAfter = (count: number) =>
      waitFor(() => asked.length >= count, { what: `${count} questions for the status` });
    return { ...opened, asked, hide, askedAfter };
  };

  it('given an open page, when it is hidden, then it sends no request until it is visible again', async () => {
    const { investor, page, asked, hide, askedAfter } = await watched();
    await askedAfter(1);
    await hide(true);
    const before = asked.length;
    await page.clock.runFor(60_000);
    expect(asked.length).toBe(before);
    await hide(false);
    await askedAfter(before + 1);
    await investor.leave();
  });

  it('given a page that the browser shows again from its cache, then it asks at once, before any timer', async () => {
    const { investor, page, asked, hide, askedAfter } = await watched();
    await askedAfter(1);
    // A hidden page has no timer and no request under way; visible again without its event, only the cache's event can make it ask.
    await hide(true);
    await page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, get: () => false })`,
    );
    const before = asked.length;
    await page.clock.runFor(10_000);
    expect(asked.length).toBe(before);
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await askedAfter(before + 1);
    await investor.leave();
  });

  it('given an open page that is visible, then it asks every two seconds', async () => {
    const { investor, page, asked, askedAfter } = await watched();
    await askedAfter(1);
    for (let turn = 0; turn < 3; turn += 1) {
      const before = asked.length;
      const answered = page.waitForResponse(/\/status\?/);
      await page.clock.runFor(2_000);
      await askedAfter(before + 1);
      await (await answered).finished();
      await page.evaluate('Promise.resolve()');
    }
    await investor.leave();
  });

  it('given a form that is being sent, then the page sends no status request, which could interrupt the redirect to the bank', async () => {
    const { investor, page, asked, askedAfter } = await watched();
    await askedAfter(1);
    // The form is held back in the page: while a navigation waits for its answer, the browser may answer no call of the test.
    await page.evaluate(`addEventListener('submit', (event) => event.preventDefault(), { once: true })`);
    await investor.button('netbanking').click();
    const before = asked.length;
    await page.clock.runFor(10_000);
    expect(asked.length).toBe(before);
    await investor.button('netbanking').click({ noWaitAfter: true });
    await page.waitForURL(/\/sandbox\//);
    await investor.leave();
  });

  it.each(LOOKS)(
    'given a UPI app was opened on a %s, in %s, then the page waits for the bank instead of offering to pay again, soundly',
    async (_screen, language, look) => {
      const { investor, page, client, id, url } = await stage.opened(look);
      // A desktop has no links to apps; there the investor scans the QR code.
      if (look.screen === 'phone') await page.locator('a[data-app]').first().click({ noWaitAfter: true });
      else await page.locator('[data-paid]').click();
      await page.locator('#waiting-app').waitFor();
      investor.complaints.length = 0;
      expect(await page.locator('[data-choice]').isVisible()).toBe(false);
      const words = { en: 'Do not pay again.', hi: 'दोबारा भुगतान न करें।' };
      expect(await page.locator('[data-wait]').innerText()).toContain(words[language]);
      await investor.sound('checkout-waiting-app', look);
      await investor.open(url);
      expect(await page.locator('[data-wait]').isVisible()).toBe(true);
      await page.locator('[data-choose]').click();
      expect(await page.locator('[data-choice]').isVisible()).toBe(true);
      ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }));
      expect(await investor.postback()).toMatchObject({ status: 'success' });
      await investor.leave();
    },
  );

  it('given a payment that succeeds, then its receipt is shown before the redirect and after it, and its button redirects at once', async () => {
    const { investor, page, client, id, url } = await stage.opened(PHONE, [5000, 12_345.67]);
    await page.clock.install();
    await page.goto(url);
    ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS' }));
    await untilPayment(client, id, 'SUCCESS');
    await page.clock.runFor(2_000);
    await page.locator('.notice.success').waitFor();
    const receipt = await page.locator('.notice').innerText();
    expect(receipt).toMatch(/₹17,345\.67/);
    expect(receipt).toMatch(new RegExp(`Payment reference\\s+${id}`));
    expect(receipt).toMatch(/Date\s+\d{1,2} \S+ \d{4}, \d{1,2}:\d\d [ap]m/);
    expect(receipt.match(/Mutual fund order \d+/g)).toHaveLength(2);
    await page.clock.runFor(2_900);
    expect(investor.posted).toEqual([]);
    await page.clock.runFor(200);
    expect(await investor.postback()).toMatchObject({ paymentId: String(id), status: 'success' });

    // The app does not load: the link shows the receipt, and does not redirect again.
    await page.goto(url);
    expect(await page.locator('.notice').innerText()).toContain('₹17,345.67');
    await page.clock.runFor(60_000);
    expect(investor.posted).toHaveLength(1);
    await page.getByRole('button', { name: 'Back to the app' }).click();
    await waitFor(() => investor.posted.length === 2);
    await investor.leave();

    const stranger = await stage.at(PHONE);
    expect(await stranger.open(url)).toBe(410);
    const text = await stranger.page.locator('main').innerText();
    expect(text).not.toMatch(/₹|order/i);
    expect(await stranger.page.locator('a.button').getAttribute('href')).toBe('http://localhost:8080/');
    await stranger.leave();
  });

  it.each(LOOKS)(
    'given another account pays on a %s, in %s, then one truthful message is shown, soundly',
    async (_screen, language, look) => {
      const { investor, page, client, id } = await stage.opened(look);
      ok(await client.post(`/api/pg/simulate/payments/${id}`, { status: 'SUCCESS', payer: 'third_party' }));
      // Razorpay takes no money from it, so this attempt has failed and the payment still waits for the right account.
      const message = page.locator('.error');
      await message.waitFor();
      const words = { en: 'If that account was debited', hi: 'अगर उस खाते से पैसा कटा है' };
      expect(await message.innerText()).toContain(words[language]);
      expect(await page.locator('main').innerText()).not.toMatch(/(No money|Nothing) was taken|कोई पैसा नहीं/);
      await investor.sound('checkout-third-party', look);
      await investor.leave();
    },
  );

  it('given no network, when the page is open, then it states that and asks not to pay again, until the network is back', async () => {
    const { investor, page } = await stage.opened(PHONE);
    await page.context().setOffline(true);
    await page.locator('[data-offline]').waitFor();
    await picture(page, 'checkout-offline-phone-en');
    expect(await page.locator('[data-offline]').innerText()).toContain('Do not pay again');
    expect(await investor.violations()).toEqual([]);
    await page.context().setOffline(false);
    await page.locator('[data-offline]').waitFor({ state: 'hidden' });
    await investor.leave();
  });
});
