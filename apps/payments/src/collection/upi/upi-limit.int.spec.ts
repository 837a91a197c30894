import type { ErrorBody } from '@fundrail/contracts';
import { tenantOf } from '@fundrail/testing';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { describeCheckout } from '../../testing/played-checkout.ts';

const LIMIT = '500000';
const OVER = '500000.01';
const EN = 'UPI payments are limited to ₹5,00,000. Please use net banking.';
const HI = 'UPI से एक बार में अधिकतम ₹5,00,000 का भुगतान हो सकता है। कृपया नेट बैंकिंग से भुगतान करें।';

describeCheckout('the limit of one UPI payment (FLOW-13)', (play) => {
  const VERIFIED = { verified_merchant: true };
  const choose = (choice: Record<string, number | boolean>) => {
    const policies = { ...tenantOf('demo').settings.policies, upi_per_transaction_limit: choice };
    Object.assign(play.stage.neighbours.settings, { policies });
    play.passTenantFacts();
  };
  afterEach(() => {
    choose(VERIFIED);
    play.stage.neighbours.settings.sdk_options_enabled = false;
  });
  const anOrder = (amount: string) => play.stage.neighbours.anOrder({ amount });
  const UPI_PARTS = /<svg|name="vpa"|upi:\/\/|value="intent"/;

  it.each([
    ['uri', { type: 'uri' }],
    ['collect', { type: 'collect', vpa: 'investor@bank' }],
    ['page', undefined],
  ])('by %s takes ₹5,00,000.00, refuses a paisa more, and leaves the orders free', async (_, upi) => {
    expect((await play.stage.create([anOrder(LIMIT)], { upi })).status).toBe(200);
    const orders = [anOrder(LIMIT), anOrder('0.01')];
    const refused = await play.stage.create(orders, { upi });
    const { code, message, policy } = refused.json<ErrorBody>().error;
    expect([refused.status, code]).toEqual([422, 'UPI_LIMIT_EXCEEDED']);
    expect(message).toContain('not ₹5,00,000.01');
    expect(policy).toMatchObject({ name: 'upi_per_transaction_limit', investor: { en: EN, hi: HI } });
    expect(orders.map((order) => order.claimed_by)).toEqual([null, null]);
    expect((await play.stage.create([orders[0]!], { upi })).status).toBe(200);
  });

  it('on the page leaves UPI at ₹5,00,000.00, and net banking with the reason above it', async () => {
    const at = await play.opened({}, LIMIT);
    expect(at.shown.html).toMatch(UPI_PARTS);
    expect(at.shown.html).not.toContain(EN);
    const over = await play.opened({}, OVER);
    expect(over.shown.html).not.toMatch(UPI_PARTS);
    expect(over.shown.html).toContain('name="bank"');
    expect(over.shown.html.indexOf(EN)).toBeGreaterThan(0);
    expect(over.shown.html.indexOf(EN)).toBeLessThan(over.shown.html.indexOf('name="bank"'));
    expect((await over.browser.open(`${over.url}&lang=hi`)).html).toContain(HI);
    expect(await play.stage.get(over.id)).toMatchObject({ method: 'NETBANKING', status: 'PENDING' });
  });

  it.each([{ action: 'intent' }, { action: 'collect', vpa: 'rahul@upi' }])(
    'refuses %j posted by hand, and one that was offered before the operator chose a lower limit',
    async (form) => {
      const [over, offered] = [await play.opened({}, OVER), await play.opened({}, LIMIT)];
      choose({ ...VERIFIED, max: 499_999 });
      const { checkout } = play.stage;
      const asked = () => [checkout.collectedFrom.length, checkout.onIntent.calls];
      const before = asked();
      for (const { token, browser } of [over, offered]) await browser.press(token, form);
      expect(asked()).toEqual(before);
    },
  );

  it('offers net banking for a payment of method UPI that was created below a limit lowered since (FLOW-15)', async () => {
    const at = await play.created({ method: 'UPI' }, LIMIT);
    const browser = new CheckoutBrowser(play.stage);
    const press = () => browser.press(at.token, { action: 'netbanking', bank: 'HDFC' });
    choose({ ...VERIFIED, max: 499_999 });
    const { html } = await browser.open(at.url);
    expect(html).not.toMatch(UPI_PARTS);
    expect(html).toContain('name="bank"');
    choose(VERIFIED);
    expect((await press()).html).not.toContain('bank.example');
    choose({ ...VERIFIED, max: 499_999 });
    expect((await press()).html).toContain('bank.example');
  });

  it('judges the first visit too, and leaves a QR code that was shown (POL-2)', async () => {
    const [shown, unopened] = [await play.opened({}, LIMIT), await play.created({}, LIMIT)];
    choose({ ...VERIFIED, max: 499_999 });
    const calls = play.stage.checkout.onIntent.calls;
    const { html } = await new CheckoutBrowser(play.stage).open(unopened.url);
    expect(html).not.toMatch(UPI_PARTS);
    expect(play.stage.checkout.onIntent.calls).toBe(calls);
    const again = (await shown.browser.open(shown.url)).html;
    expect(again).toContain('<svg');
    expect(again).not.toContain('UPI payments are limited');
    expect(again).not.toContain('name="vpa"');
  });

  it.each([
    [LIMIT, true],
    [OVER, false],
  ])('in the options of an SDK for ₹%s has upi: %s', async (amount, upi) => {
    play.stage.neighbours.settings.sdk_options_enabled = true;
    play.passTenantFacts();
    const answer = await play.stage.checkOut([anOrder(amount)]);
    expect(answer.json<object>()).toMatchObject({ sdk_options: { sdkvendor: { method: { upi } } } });
  });

  it.each([
    [{}, '200000.00', '200000.01'],
    [{ max: 100_000, ...VERIFIED }, '100000.00', '100000.01'],
  ])('is lower with the choice %j', async (choice, most, more) => {
    choose(choice);
    expect((await play.stage.create([anOrder(most)])).status).toBe(200);
    expect((await play.stage.create([anOrder(more)])).status).toBe(422);
  });
});
