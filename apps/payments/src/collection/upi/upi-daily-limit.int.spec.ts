import type { ErrorBody } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { tenantOf } from '@fundrail/testing';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

const DAY = 86_400_000;
const FIVE_LAKH = '500000';
/** As long as UPI_URI_EXPIRY_MINUTES. */
const MINUTES_OF_QR = 600_000;
const BY_BANK = { action: 'netbanking', bank: 'HDFC' };
const EN = 'The UPI limit of ₹10,00,000 in 24 hours is reached. Please use net banking.';
const HI = '24 घंटे की ₹10,00,000 की UPI सीमा पूरी हो गई है। कृपया नेट बैंकिंग से भुगतान करें।';

describeCheckout("the limit of an account's UPI payments in 24 hours (FLOW-14)", (play) => {
  const choose = (check: 'on' | 'off') => {
    const policies = { ...tenantOf('demo').settings.policies, upi_daily_limit: { check } };
    Object.assign(play.stage.neighbours.settings, { policies });
    play.passTenantFacts();
  };
  /** Each test pays from an account of its own. */
  const PAYER = { bank_account_id: undefined };
  beforeEach(() => {
    play.stage.neighbours.payoutBankAccount = (play.stage.neighbours.payoutBankAccount ?? 0) + 1;
    choose('on');
  });
  afterEach(() => {
    play.stage.neighbours.settings.sdk_options_enabled = false;
  });
  const UPI_PARTS = /<svg|name="vpa"|upi:\/\/|value="intent"/;

  const anOrder = (amount: string) => play.stage.neighbours.anOrder({ amount });
  const ask = (amount: string, order = anOrder(amount)) => play.stage.create([order], PAYER);
  const statusOf = async (amount: string) => (await ask(amount)).status;
  const withUri = async (amount: string) => {
    const order = anOrder(amount);
    const { id } = (await ask(amount, order)).json<{ id: number }>();
    await play.stage.orderBecomes(order, 'submitted');
    await play.stage.until(id, ({ upi }) => upi?.uri !== null);
    return id;
  };
  const paid = async (amount: string) => {
    const id = await withUri(amount);
    const fact = { about: 'payment', payment: capturedAs(`paid ${id}`, amount) } as const;
    await play.stage.report({ reference: paymentReference(id), fact });
    await play.stage.until(id, ({ debit_confirmed_at }) => debit_confirmed_at !== null);
  };

  /** A payment on the page becomes paid, as its provider reports it. */
  const confirmed = async (id: number, reported: object) => {
    const payment = { ...capturedAs(`pay_${id}`, FIVE_LAKH), ...reported };
    const callback = { reference: paymentReference(id), fact: { about: 'payment', payment } } as const;
    await play.stage.report(callback, 'good', 'sdkvendor');
    await play.stage.until(id, ({ debit_confirmed_at }) => debit_confirmed_at !== null);
  };

  it('passes 5 and 5 lakh, refuses a paisa more, leaves the order free, and passes it after 24 hours', async () => {
    await paid(FIVE_LAKH);
    const first = play.stage.clock.now();
    play.stage.clock.advance(60_000);
    await paid('499999.99');
    expect(await statusOf('0.01')).toBe(200);
    const order = anOrder('0.02');
    const refused = await ask('0.02', order);
    const { code, message, policy } = refused.json<ErrorBody>().error;
    expect([refused.status, code, order.claimed_by]).toEqual([422, 'UPI_DAILY_LIMIT_EXCEEDED', null]);
    expect(message).toContain('would pay ₹10,00,000.01 by UPI in 24 hours; the limit is ₹10,00,000');
    expect(policy).toMatchObject({ name: 'upi_daily_limit', investor: { en: EN, hi: HI } });
    play.stage.clock.set(new Date(first.getTime() + DAY - 1));
    expect(await statusOf('0.02')).toBe(422);
    play.stage.clock.advance(1);
    expect(await statusOf(FIVE_LAKH)).toBe(200);
  });

  it('counts a live payment that has its URI, and none before; one that waited is judged at its URI', async () => {
    await paid(FIVE_LAKH);
    const waits = anOrder(FIVE_LAKH);
    const { id } = (await ask(FIVE_LAKH, waits)).json<{ id: number }>();
    expect(await statusOf(FIVE_LAKH)).toBe(200);
    await withUri(FIVE_LAKH);
    expect(await statusOf('1')).toBe(422);
    const calls = play.stage.provider.registered.length;
    await play.stage.orderBecomes(waits, 'submitted');
    const failed = await play.stage.until(id, ({ status }) => status === 'FAILED');
    expect(failed).toMatchObject({ failure_code: 'payment_failed', upi: { uri: null } });
    expect(play.stage.provider.registered).toHaveLength(calls);
  });

  it('counts a QR code while it can be paid, whatever else was chosen, and the way that the provider reports', async () => {
    await paid(FIVE_LAKH);
    const page = await play.opened(PAYER, FIVE_LAKH);
    await page.browser.press(page.token, { action: 'netbanking', bank: 'HDFC' });
    const { clock } = play.stage;
    clock.advance(MINUTES_OF_QR - 1);
    expect(await statusOf('1')).toBe(422);
    clock.advance(1);
    expect(await statusOf('1')).toBe(200);
    const unanswered = await play.created(PAYER, FIVE_LAKH);
    play.stage.checkout.onIntent.set({ kind: 'unknown', why: 'no_answer', detail: '' });
    await new CheckoutBrowser(play.stage).open(unanswered.url);
    expect(await statusOf('1')).toBe(200);
    play.stage.checkout.onIntent.set(null);
    await confirmed(page.id, { by_upi: true });
    expect(await statusOf('1')).toBe(422);
  });

  it.each<[string, object, (page: Awaited<ReturnType<typeof play.opened>>) => Promise<unknown>, number]>([
    ['net banking, as reported', { by_upi: false }, () => Promise.resolve(), 200],
    ['UPI by its last attempt', {}, () => Promise.resolve(), 422],
    ['net banking by its last attempt', {}, ({ browser, token }) => browser.press(token, BY_BANK), 200],
    [
      'UPI by the attempt that failed',
      {},
      ({ id }) =>
        play.stage.rows(
          `UPDATE checkout_attempts SET failure_code = 'payment_failed', address = NULL WHERE payment_id = ${id}`,
        ),
      422,
    ],
  ])('counts or does not what was paid on the page: %s', async (_, reported, act, status) => {
    await paid(FIVE_LAKH);
    const page = await play.opened(PAYER, FIVE_LAKH);
    await act(page);
    await confirmed(page.id, reported);
    expect(await statusOf('1')).toBe(status);
  });

  it('counts UPI on the page and no net banking, and says there why UPI is not offered', async () => {
    await paid(FIVE_LAKH);
    const byBank = await play.opened(PAYER, FIVE_LAKH);
    await byBank.browser.press(byBank.token, { action: 'choose' });
    await byBank.browser.press(byBank.token, { action: 'netbanking', bank: 'HDFC' });
    // Its first QR code is over then.
    play.stage.clock.advance(MINUTES_OF_QR);
    expect(await statusOf(FIVE_LAKH)).toBe(200);
    const [unopened, byUpi] = [await play.created(PAYER, '1'), await play.opened(PAYER, FIVE_LAKH)];
    expect(byUpi.shown.html).toMatch(UPI_PARTS);
    // Its own QR code is not counted against it.
    expect((await byUpi.browser.open(byUpi.url)).html).toContain('<svg');
    expect(await statusOf('1')).toBe(422);
    const over = await play.opened(PAYER, '1');
    expect(over.shown.html).not.toMatch(UPI_PARTS);
    expect(over.shown.html).toContain(EN);
    expect((await over.browser.open(`${over.url}&lang=hi`)).html).toContain(HI);
    expect(await play.stage.get(over.id)).toMatchObject({ method: 'NETBANKING' });
    const { onIntent, collectedFrom } = play.stage.checkout;
    const asked = () => [onIntent.calls, collectedFrom.length];
    const before = asked();
    const browser = new CheckoutBrowser(play.stage);
    expect((await browser.open(unopened.url)).html).not.toMatch(UPI_PARTS);
    for (const form of [{ action: 'intent' }, { action: 'collect', vpa: 'rahul@upi' }])
      await browser.press(unopened.token, form);
    expect(asked()).toEqual(before);
  });

  it('has no UPI in the options of an SDK', async () => {
    play.stage.neighbours.settings.sdk_options_enabled = true;
    play.passTenantFacts();
    const upiOf = async () =>
      (await play.stage.checkOut([anOrder('1')], PAYER)).json<{ sdk_options: object }>().sdk_options;
    expect(await upiOf()).toMatchObject({ sdkvendor: { method: { upi: true } } });
    await paid(FIVE_LAKH);
    await paid(FIVE_LAKH);
    expect(await upiOf()).toMatchObject({ sdkvendor: { method: { upi: false } } });
  });

  it('is that of one account, and is not checked where the operator chose so', async () => {
    await paid(FIVE_LAKH);
    await paid(FIVE_LAKH);
    expect(await statusOf('1')).toBe(422);
    choose('off');
    expect(await statusOf('1')).toBe(200);
    choose('on');
    play.stage.neighbours.payoutBankAccount = (play.stage.neighbours.payoutBankAccount ?? 0) + 1_000;
    play.passTenantFacts();
    expect(await statusOf('1')).toBe(200);
  });
});
