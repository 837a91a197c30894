import { authorisationFact, eventData, parseJson } from '@fundrail/contracts';
import type { AuthorisationStatus } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { signatureOf } from '../../testing/fake-checkout.ts';
import { SILENCE } from '../../testing/fake-provider.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';

const APPROVED = {
  status: 'approved',
  provider_reference: 'ref_1',
  mandate_token: 'token_1',
  provider_id: 'cust_1',
  umrn: null,
} as const;
const FAILED = { status: 'failed', failure_code: 'investor_bank_declined', message: 'x' } as const;

describe('the hosted page of an authorisation (MAN-14)', () => {
  let stage: PaymentsStage;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    stage.neighbours.settings.sdk_options_enabled = true;
  });
  afterEach(() => stage.stop());

  type Terms = Parameters<PaymentsStage['neighbours']['mandates']['aMandate']>[0];
  const created = async (changes: Terms = {}) => {
    const mandate = stage.neighbours.mandates.aMandate({ provider_name: 'SDKVENDOR', ...changes });
    const body = { upi: undefined, payment_postback_url: 'https://app.example/back' };
    const answer = await stage.authorise(mandate.id, body);
    if (answer.status !== 200) throw new Error(answer.body);
    const { id, token_url } = answer.json<{ id: number; token_url: string }>();
    const { pathname, search, searchParams } = new URL(token_url);
    return { id, mandate, url: pathname + search, token: searchParams.get('txnId') ?? '' };
  };
  const opened = async (changes: Terms = {}, headers: Record<string, string> = {}) => {
    const payment = await created(changes);
    const browser = new CheckoutBrowser(stage);
    return { ...payment, browser, shown: await browser.open(payment.url, headers) };
  };
  const providerReports = (status: AuthorisationStatus) =>
    stage.sdkvendor.mandates.onAuthorisationStatus.set({ kind: 'yes', value: status });

  it('shows the terms and a QR code of the mandate URI, and no other way, for UPI Autopay (PAGE-8)', async () => {
    const { shown, mandate } = await opened();
    expect(shown.status).toBe(200);
    for (const text of [
      'Authorise debits of up to ₹10,000.00',
      '1 Dec 2026',
      '1 Dec 2056',
      '25 hours before',
      'at most 4 times',
      '₹1.00',
      'href="upi://mandate?',
      '<svg',
    ])
      expect(shown.html).toContain(text);
    expect(shown.html).not.toContain('value="collect"');
    expect(shown.html).not.toContain('value="netbanking"');
    expect(shown.html).not.toContain('Order summary');
    expect(stage.sdkvendor.mandates.registered.at(-1)).toMatchObject({ mandate_ref: mandate.mandate_ref });
  });

  it('sends the provider the data of the browser that has the page open', async () => {
    await opened({}, { 'user-agent': 'Investor 1.0' });
    expect(stage.sdkvendor.mandates.registered.at(-1)?.browser).toMatchObject({
      ip: '127.0.0.1',
      user_agent: 'Investor 1.0',
    });
  });

  it('is shown in Hindi, and does not mention ₹1.00 where it is not charged', async () => {
    const { browser, url } = await opened({ provider_name: 'GATEWAYPOA' });
    const shown = await browser.open(`${url}&lang=hi`);
    expect(shown.html).toContain('₹10,000.00 तक के डेबिट की मंज़ूरी दें');
    expect(shown.html).toContain('25 घंटे पहले');
    expect(shown.html).not.toContain('₹1.00');
  });

  it('may post only to the product and the client, and opens once', async () => {
    const { shown, url } = await opened();
    expect(shown.headers['content-security-policy']).toContain("form-action 'self' https://app.example;");
    expect((await new CheckoutBrowser(stage).open(url)).status).toBe(410);
  });

  it.each([true, false])(
    'leads an e-mandate to its bank, and back by the capture route with the provider’s status: SDK options %s',
    async (isEnabled) => {
      stage.neighbours.settings.sdk_options_enabled = isEnabled;
      const { id, token, browser, shown } = await opened({ mandate_type: 'E_MANDATE' });
      expect(shown.html).toContain('on the next business day');
      expect(shown.html).not.toContain('<svg');
      const waiting = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
      expect(waiting.html).toContain('https://bank.example/mandate?order_id=order_');
      expect(waiting.html).toContain(encodeURIComponent(`/capture/${id}?lang=en`));
      providerReports({ status: 'submitted', mandate_token: 'token_1', provider_id: 'cust_1', umrn: null });
      const order = `order_P${String(id).padStart(12, '0')}`;
      const back = await browser.send(
        'POST',
        `/api/pg/payments/netbanking/sdkvendor/capture/${id}?lang=en`,
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({
          razorpay_payment_id: 'pay_1',
          razorpay_order_id: order,
          razorpay_signature: signatureOf(order, 'pay_1'),
        }).toString(),
      );
      expect(back.html).toContain('This can take a few days');
      expect(back.html).toContain('value="pending"');
      expect(back.html).not.toContain('class="amount"');
      expect(await stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      providerReports(APPROVED);
      await stage.pass(30_000);
      await stage.until(id, ({ status }) => status === 'SUCCESS');
      expect((await browser.open(`/api/pg/payments/netbanking/sdkvendor?txnId=${token}`)).html).toContain(
        'Mandate authorised',
      );
    },
  );

  it('without SDK options opens the order of an e-mandate when its bank is chosen, once, and again after silence', async () => {
    stage.neighbours.settings.sdk_options_enabled = false;
    const { id, token, browser } = await opened({ mandate_type: 'E_MANDATE' });
    const ordersOf = () =>
      stage.rows('SELECT order_id, customer_id FROM checkouts WHERE payment_id = $1', id);
    expect(await ordersOf()).toEqual([{ order_id: null, customer_id: null }]);
    const { checkout } = stage.sdkvendor.mandates;
    if (!checkout) throw new Error('the provider has a checkout');
    const open = jest.spyOn(checkout, 'open').mockResolvedValueOnce(SILENCE);
    const silent = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    expect(silent.html).not.toContain('https://bank.example');
    expect(await ordersOf()).toEqual([{ order_id: null, customer_id: null }]);
    await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    const order = { order_id: `order_P${String(id).padStart(12, '0')}`, customer_id: 'cust_1' };
    expect(await ordersOf()).toEqual([order]);
    expect((await browser.press(token, { action: 'netbanking', bank: 'ICIC' })).html).toContain('bank=ICIC');
    expect(open).toHaveBeenCalledTimes(2);
    expect(await stage.get(id)).not.toHaveProperty('sdk_options');
  });

  it('without SDK options goes to the bank with the order that another press recorded first', async () => {
    stage.neighbours.settings.sdk_options_enabled = false;
    const { id, token, browser } = await opened({ mandate_type: 'E_MANDATE' });
    const { checkout } = stage.sdkvendor.mandates;
    if (!checkout) throw new Error('the provider has a checkout');
    jest.spyOn(checkout, 'open').mockImplementationOnce(async () => {
      const first = `UPDATE checkouts SET order_id = 'order_first', customer_id = 'cust_first' WHERE payment_id = $1`;
      await stage.rows(first, id);
      return { kind: 'yes', value: { order_id: 'order_second', customer_id: 'cust_second' } };
    });
    const { html } = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    expect(html).toContain('order_id=order_first');
  });

  it('publishes a second mandate from another attempt to mandates once, even when it comes late', async () => {
    const { id } = await opened();
    const tokens = async () =>
      (await stage.eventRows(id))
        .filter(({ type }) => type === 'payment.mandate_fact')
        .map(({ data }) => eventData(authorisationFact).parse(parseJson(data)).object)
        .map(({ status, mandate_token }) => [status, mandate_token]);
    providerReports(APPROVED);
    await stage.pass(90_000);
    await stage.until(id, ({ status }) => status === 'SUCCESS');
    providerReports({
      ...APPROVED,
      others: [{ mandate_token: 'token_2', provider_id: 'cust_1', umrn: null }],
    });
    await stage.pass(1_800_000);
    await waitFor(async () => (await tokens()).length === 2);
    await stage.pass(3 * 86_400_000);
    await waitFor(
      async () => (await stage.rows("SELECT 1 FROM due_work WHERE kind = 'payment.status'")).length === 0,
    );
    expect(await tokens()).toEqual([
      ['approved', 'token_1'],
      ['approved', 'token_2'],
    ]);
  });

  it('leads to the bank that was chosen last, even if the page of another bank is still open', async () => {
    const { id, token, browser } = await opened({ mandate_type: 'E_MANDATE' });
    await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    const again = await browser.press(token, { action: 'netbanking', bank: 'ICIC' });
    expect(again.html).toContain('bank=ICIC');
    expect(again.html).not.toContain('bank=HDFC');
    expect(await stage.rows('SELECT number, shown FROM checkout_attempts ORDER BY number')).toEqual([
      { number: 1, shown: 'HDFC' },
      { number: 2, shown: 'ICIC' },
    ]);
    providerReports(APPROVED);
    await stage.pass(5_000);
    await stage.until(id, ({ status }) => status === 'SUCCESS');
  });

  it('offers the ways again after a failed attempt, and the next one can succeed', async () => {
    const { id, token, browser } = await opened({ mandate_type: 'E_MANDATE' });
    await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    providerReports(FAILED);
    const back = await browser.send(
      'POST',
      `/api/pg/payments/netbanking/sdkvendor/capture/${id}`,
      { 'content-type': 'application/x-www-form-urlencoded' },
      'error%5Bcode%5D=BAD_REQUEST_ERROR',
    );
    expect(back.html).toContain('Authorisation attempt failed');
    expect(await stage.get(id)).toMatchObject({ status: 'PENDING' });
    const again = await browser.press(token, { action: 'netbanking', bank: 'HDFC' });
    expect(again.html).toContain('https://bank.example/mandate');
    providerReports(APPROVED);
    await stage.pass(5_000);
    await stage.until(id, ({ status }) => status === 'SUCCESS');
  });

  it('stays open after a failed attempt, and ends when the mandate is refused', async () => {
    const { id } = await opened();
    const reference = `P${String(id).padStart(12, '0')}`;
    const report = (authorisation: AuthorisationStatus) =>
      stage.report({ reference, fact: { about: 'authorisation', authorisation } }, 'good', 'sdkvendor');
    providerReports(FAILED);
    await report(FAILED);
    await stage.pass(5_000);
    expect(await stage.get(id)).toMatchObject({ status: 'PENDING' });
    await report({ ...FAILED, status: 'rejected' });
    expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'investor_bank_declined' });
  });

  it('offers the QR code again when the provider does not answer: the token is not lost', async () => {
    stage.sdkvendor.mandates.onUri.set(SILENCE, null);
    const { token, browser, shown } = await opened();
    expect(shown.html).toContain('get a new QR code');
    expect((await browser.press(token, { action: 'intent' })).html).toContain('<svg');
  });

  it('ends when the investor cancels, after the provider has confirmed it', async () => {
    const { id, token, browser } = await opened();
    const shown = await browser.press(token, { action: 'cancel' });
    expect(shown.html).toContain('Mandate not authorised');
    expect(shown.html).toContain('value="failure"');
    expect(await stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'user_cancelled' });
  });

  it('accepts only the ways that it offers', async () => {
    const { token, browser } = await opened();
    const before = stage.sdkvendor.mandates.registered.length;
    for (const fields of [
      { action: 'collect', vpa: 'a@bank' },
      { action: 'netbanking', bank: 'HDFC' },
    ])
      await browser.press(token, fields);
    expect(stage.sdkvendor.mandates.registered).toHaveLength(before);
    expect(stage.sdkvendor.mandates.collectedFrom).toEqual([]);
  });

  it('expires when it is not opened in time, and the mandate can be authorised again', async () => {
    const { id } = await created({ provider_name: 'GATEWAYPOA' });
    await stage.pass(15 * 60_000);
    await stage.until(id, ({ failure_code }) => failure_code === 'payment_expired');
  });
});
