import type { PaymentFailureCode } from '@fundrail/contracts';
import { setFaultHandler, yes } from '@fundrail/testing';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { SILENCE } from '../../testing/fake-provider.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../../testing/start-payments.ts';

const MINUTE = 60_000;
const failed = (failure_code: PaymentFailureCode) =>
  yes({ status: 'failed', failure_code, message: '' } as const);
const DECLINED = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[reason]': 'payment_cancelled' };

describe('a failed attempt on the hosted page (decision 0012)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
  });
  afterEach(() => stage.stop());

  const opened = async (changes: object = { method: 'NETBANKING' }) => {
    const answer = await stage.checkOut([stage.neighbours.anOrder()], changes);
    const { id, token_url } = answer.json<{ id: number; token_url: string }>();
    const { pathname, search, searchParams } = new URL(token_url);
    const browser = new CheckoutBrowser(stage);
    await browser.open(pathname + search);
    return { id, token: searchParams.get('txnId') ?? '', url: pathname + search, browser };
  };
  const atTheBank = async (changes?: object) => {
    const page = await opened(changes);
    await page.browser.press(page.token, { action: 'netbanking', bank: 'HDFC' });
    return page;
  };
  /** The bank sends the browser back with an error. */
  const comesBack = async (browser: CheckoutBrowser, id: number) =>
    browser.send(
      'POST',
      `/api/pg/payments/netbanking/sdkvendor/capture/${id}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams(DECLINED).toString(),
    );
  /** Waits until the next scheduled status query has been answered. */
  const statusQueried = async (id: number, ms = 5_000) => {
    const { onStatus } = stage.sdkvendor;
    onStatus.calls = 0;
    await stage.pass(ms);
    await stage.until(id, () => onStatus.calls > 0);
    await stage.pass(0);
  };

  it('keeps the payment PENDING, and the page shows the reason and offers the ways again', async () => {
    const { id, url, browser } = await atTheBank();
    stage.sdkvendor.onStatus.set(failed('insufficient_funds'));
    await statusQueried(id);
    expect((await stage.get(id)).status).toBe('PENDING');
    const { html } = await browser.open(url);
    expect(html).toMatch(
      /role="alert">\s*There was not enough money in the bank account\. No money was taken\./,
    );
    // The error is below the orders: a phone scrolls to it.
    expect(html).toMatch(/<p class="error" tabindex="-1" autofocus/);
    expect(html).toContain('name="bank"');
    expect(html).not.toContain('https://bank.example');
  });

  it('changes the state of an open page once the failure is known', async () => {
    const { id, token, browser } = await atTheBank();
    const status = async () =>
      (await browser.send('GET', `/api/pg/payments/netbanking/sdkvendor/status?txnId=${token}`)).html;
    const before = await status();
    stage.sdkvendor.onStatus.set(failed('bank_downtime'));
    await statusQueried(id);
    expect(await status()).not.toBe(before);
  });

  it('leads back from the bank to the page, and the next attempt can be paid', async () => {
    const { id, token, browser } = await atTheBank();
    stage.sdkvendor.onStatus.set(failed('user_cancelled'));
    const back = await comesBack(browser, id);
    expect([back.status, (await stage.get(id)).status]).toEqual([200, 'PENDING']);
    expect(back.html).toContain('Payment attempt failed');
    expect(back.html).toMatch(/name="status"\s+value="pending"/);
    expect(back.html).not.toMatch(/<form[^>]*data-auto/);
    const link = /<a class="button main" href="([^"]+)"/.exec(back.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await browser.open(link)).html).toContain('name="bank"');
    await browser.press(token, { action: 'netbanking', bank: 'ICIC' });
    stage.sdkvendor.onStatus.set(yes(capturedAs('pay_2', '5000')));
    expect((await comesBack(browser, id)).html).toMatch(/name="status"\s+value="success"/);
    expect((await stage.get(id)).status).toBe('SUCCESS');
  });

  it('leads back to the client while the provider does not answer', async () => {
    const { id, browser } = await atTheBank();
    stage.sdkvendor.onStatus.set(SILENCE);
    expect((await comesBack(browser, id)).html).toMatch(/<form[^>]*data-auto/);
  });

  it('ends only the newest attempt while the QR code can still be paid', async () => {
    const { id, url, browser } = await atTheBank({});
    stage.sdkvendor.onStatus.set(yes({ status: 'waiting', newest_failed: 'bank_downtime' }));
    await statusQueried(id);
    const { html } = await browser.open(url);
    expect(html).toContain('Your bank is not available at the moment.');
    expect(html).toContain('<svg');
  });

  it('removes the QR code when the provider has no open attempt', async () => {
    const { id, url, token, browser } = await opened({});
    stage.sdkvendor.onStatus.set(failed('pg_payment_expired'));
    await statusQueried(id, 90_000);
    const { html } = await browser.open(url);
    expect([html.includes('<svg'), html.includes('value="intent"')]).toEqual([false, true]);
    stage.sdkvendor.onStatus.set(yes({ status: 'waiting' }));
    expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
    expect((await stage.get(id)).status).toBe('PENDING');
  });

  it('does not end an attempt that was started while the provider was queried', async () => {
    const { id, url, token, browser } = await atTheBank();
    stage.sdkvendor.onStatus.set(failed('user_cancelled'));
    const fault = setFaultHandler('payments.status_answered');
    const back = comesBack(browser, id);
    await fault.reached;
    await browser.press(token, { action: 'netbanking', bank: 'ICIC' });
    fault.resume();
    await back;
    expect((await browser.open(url)).html).toContain('Continue to ICICI Bank');
  });

  it('ends the payment at its expiry with payment_expired, not with the reason of the attempt (TIME-8)', async () => {
    const { id } = await atTheBank();
    stage.sdkvendor.onStatus.set(failed('insufficient_funds'));
    await stage.pass(30 * MINUTE - 1);
    await stage.pass(0);
    expect((await stage.get(id)).status).toBe('PENDING');
    await stage.pass(1);
    expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'payment_expired' });
  });

  it('can be cancelled, also when the provider first does not answer and then reports the failed attempt', async () => {
    const { id } = await atTheBank();
    stage.sdkvendor.onStatus.set(failed('insufficient_funds'));
    stage.sdkvendor.onCancel.set(SILENCE);
    expect((await stage.send('POST', `/api/pg/payments/${id}/cancel`)).status).toBe(503);
    await stage.pass(5_000);
    expect(await stage.until(id, inStatus('FAILED'))).toMatchObject({ failure_code: 'user_cancelled' });
  });

  it('ends the payment when no page was opened: an SDK checkout has one attempt (FLOW-11)', async () => {
    stage.neighbours.settings.sdk_options_enabled = true;
    const { id } = (await stage.checkOut([stage.neighbours.anOrder()])).json<{ id: number }>();
    stage.sdkvendor.onStatus.set(failed('insufficient_funds'));
    await comesBack(new CheckoutBrowser(stage), id);
    expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'insufficient_funds' });
  });
});
