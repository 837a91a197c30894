import { createHmac } from 'node:crypto';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

describeCheckout('the live status of the hosted page', (play) => {
  const address = (token: string) => `/api/pg/payments/netbanking/sdkvendor/status?txnId=${token}`;

  it('given the money has come, when the status is fetched, then it has changed, and the page leads back to the client', async () => {
    const { id, url, token, browser } = await play.opened();
    const before = (await browser.send('GET', address(token))).html;
    play.stage.sdkvendor.onStatus.set({ kind: 'yes', value: capturedAs(`pay_${id}`, '5000') });
    await play.stage.pass(90_000);
    await play.stage.until(id, ({ status }) => status === 'SUCCESS');
    expect((await browser.send('GET', address(token))).html).not.toBe(before);
    const shown = await browser.open(url);
    expect(shown.html).toContain('We have received ₹5,000.00.');
    expect(shown.html).toContain(createHmac('sha256', 'secret').update(`${id}|success||`).digest('hex'));
  });

  it('given the cookie, when the status is fetched, then it contains the state of the page and the time left', async () => {
    const { token, browser, shown } = await play.opened();
    const answer = await browser.send('GET', address(token));
    const { state, seconds_left } = JSON.parse(answer.html) as { state: string; seconds_left: number };
    expect(shown.html).toContain(`data-state="${state}"`);
    expect(seconds_left).toBe(1800);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('given no cookie, when the status is fetched, then it is a 404', async () => {
    const { token } = await play.opened();
    expect((await new CheckoutBrowser(play.stage).send('GET', address(token))).status).toBe(404);
  });
});

describeCheckout('the QR code of the hosted page', (play) => {
  it('given a QR code for 10 minutes, when its time is over, then the page offers a new one (TIME-2)', async () => {
    const { url, token, browser } = await play.opened();
    await play.stage.pass(10 * 60_000);
    const over = await browser.open(url);
    expect([over.html.includes('<svg'), over.html.includes('value="intent"')]).toEqual([false, true]);
    expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
  });
});
