import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../testing/browser.ts';

const GUIDE = new URL('../../../docs/sdk.md', import.meta.url);
const OPERATOR = 'Acme Wealth';
const PAYMENT = {
  callback_url: 'https://pay.example/capture/1',
  bank_code: 'HDFC',
  amount: 500_050,
  method: { wallet: false, netbanking: true, card: false, upi: true },
  order_id: 'order_1',
  key: 'rzp_test_1',
  email: 'a@example.com',
  contact: '+919000000001',
};
const MANDATE = {
  ...{ callback_url: PAYMENT.callback_url, bank_account_number: '1', method: { emandate: true } },
  ...{ contact: PAYMENT.contact, bank_account_holder_name: 'Asha Rao', customer_id: 'cust_1' },
  ...{ order_id: 'order_2', bank_account_ifsc: 'HDFC0000001', key: PAYMENT.key, email: PAYMENT.email },
};
/** A stand-in for the SDK: records the options it is opened with, and calls the handler as the SDK would. */
const FAKE_SDK = `window.opened = [];
  window.Razorpay = class {
    constructor(options) { this.options = options; }
    open() {
      window.opened.push(JSON.parse(JSON.stringify(this.options)));
      this.options.handler?.({ razorpay_payment_id: 'pay_1', razorpay_order_id: this.options.order_id, razorpay_signature: 'f00', extra: 1 });
    }
  };`;

describe('the guide for SDK checkout (docs/sdk.md), as printed, in Chromium', () => {
  let browser: Browser;
  let printed: string;
  beforeAll(async () => {
    const text = await readFile(GUIDE, 'utf8');
    printed = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => code).join('\n');
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** The options that `call` opens the SDK with, and the fields that the handler passed on. */
  const run = async (call: string) => {
    const page = await browser.newPage();
    await page.setContent(`<script>${FAKE_SDK}</script><script>${printed}</script>`);
    const seen = await page.evaluate<{ opened: Record<string, unknown>[]; passed: unknown }>(
      `(() => { let passed = null; const done = (fields) => { passed = fields; }; ${call}; return { opened: window.opened, passed }; })()`,
    );
    await page.close();
    return seen;
  };
  const [payment, mandate, operator] = [PAYMENT, MANDATE, OPERATOR].map((given) => JSON.stringify(given));
  const common = {
    ...{ key: 'rzp_test_1', currency: 'INR', name: OPERATOR, retry: { enabled: false } },
  };

  it('given the options of a payment, when it is opened, then the rules are kept (FLOW-6, FLOW-10)', async () => {
    const { opened } = await run(`openPayment(${payment}, ${operator})`);
    expect(opened).toEqual([
      {
        ...common,
        ...{ order_id: 'order_1', amount: 500_050, method: PAYMENT.method, redirect: true },
        prefill: { email: PAYMENT.email, contact: PAYMENT.contact },
        callback_url: PAYMENT.callback_url,
      },
    ]);
  });

  it('given a handler, when the SDK has been paid, then its three fields are passed on', async () => {
    const { opened, passed } = await run(`openPaymentWithHandler(${payment}, ${operator}, done)`);
    expect(opened).toMatchObject([{ ...common, order_id: 'order_1', amount: 500_050 }]);
    expect(passed).toEqual({
      razorpay_payment_id: 'pay_1',
      razorpay_order_id: 'order_1',
      razorpay_signature: 'f00',
    });
  });

  it('given the options of a mandate, when it is opened, then recurring is the string 1 (FLOW-12)', async () => {
    const { opened } = await run(`openMandate(${mandate}, ${operator}, 'Asha')`);
    expect(opened).toEqual([
      {
        ...common,
        ...{ order_id: 'order_2', customer_id: 'cust_1', recurring: '1', redirect: true },
        prefill: { name: 'Asha Rao', email: PAYMENT.email, contact: PAYMENT.contact },
        callback_url: PAYMENT.callback_url,
      },
    ]);
  });
});
