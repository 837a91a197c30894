import { createHmac } from 'node:crypto';
import type { Answer } from './buyer-app.ts';
import { InvestorBrowser } from './investor-browser.ts';
import { expectEnd, expectSame, type Stage } from './walks.ts';

/** A simulated bank from the hosted page's list. */
const BANK = 'HDFC';

/** A collect request goes to the investor's UPI app; in the sandbox the UPI ID decides what the investor answers. */
export async function collectFlow(stage: Stage): Promise<void> {
  const { hooks, steps, transcript } = stage;
  transcript.heading('A purchase, paid by a UPI collect request');
  const order = await steps.consented(5000);
  const created = await steps.payBy({ method: 'UPI', upi: { type: 'collect', vpa: 'success@upi' } }, order);
  expectSame('token_url of a collect request', created['token_url'], null);
  await steps.confirm(order);
  const payment = Number(created['id']);
  await hooks.waitFor('payment.success', payment);
  await expectEnd(stage, [order], 'successful', payment);

  transcript.heading('A collect request to a UPI ID that does not exist');
  const other = await steps.consented(3000);
  const refused = await steps.payBy({ method: 'UPI', upi: { type: 'collect', vpa: 'unknown@upi' } }, other);
  await steps.confirm(other);
  const failed = await hooks.waitFor('payment.failed', refused['id']);
  expectSame('the failure code', failed['failure_code'], 'invalid_upi_id');
}

/** The investor's browser opens `token_url`, chooses net banking, pays at the bank, and is sent back to the client. */
export async function pageFlow(stage: Stage): Promise<void> {
  const { app, steps, transcript } = stage;
  transcript.heading('A purchase, paid on the hosted page by net banking');
  const order = await steps.consented(6000);
  const created = await steps.payBy({ method: 'NETBANKING' }, order);
  const tokenUrl = String(created['token_url']);
  transcript.say(`The investor opens ${tokenUrl}`);
  const browser = new InvestorBrowser(app.baseUrl, new URL(tokenUrl).origin, transcript);
  const page = await browser.get(tokenUrl);
  const chosen = await browser.submit(page, 'netbanking', { bank: BANK });
  const bank = await browser.get(browser.linkIn(chosen, '/sandbox/bank/'));
  const wayBack = await browser.submit(bank, 'approve');
  const postback = await browser.submit(wayBack);
  expectSame('the status that the client receives', browser.fieldsOf(postback)['status'], 'success');
  await finish(stage, order, Number(created['id']));
}

/** Plays the provider's SDK in the investor's app with the options of the creation. Its callback goes to the capture route. */
export async function sdkFlow(stage: Stage): Promise<void> {
  const { app, steps, transcript } = stage;
  transcript.heading("A purchase, paid through the provider's SDK");
  const order = await steps.consented(7000);
  const created = await steps.payBy({}, order);
  // They stand under the name of the SDK's provider.
  const [provider = '', options = {}] =
    Object.entries(created['sdk_options'] as Record<string, Answer>)[0] ?? [];
  transcript.say(`The SDK is opened with ${JSON.stringify(options)}`);
  const payment = Number(created['id']);
  await steps.decide(payment, 'SUCCESS');
  const callback = await signedBySdk(app.baseUrl, provider, String(options['order_id']));
  const browser = new InvestorBrowser(app.baseUrl, app.baseUrl, transcript);
  const postback = await browser.post(String(options['callback_url']), callback);
  expectSame('the status that the client receives', browser.fieldsOf(postback)['status'], 'success');
  await finish(stage, order, payment);
}

/** Paid before its order is confirmed: the transfer starts once the order is submitted. */
async function finish(stage: Stage, order: Answer, payment: number): Promise<void> {
  await stage.hooks.waitFor('payment.success', payment);
  await stage.steps.confirm(order);
  await expectEnd(stage, [order], 'successful', payment);
}

/** The three fields that the SDK passes to its handler (CAP-6). */
async function signedBySdk(baseUrl: string, provider: string, order_id: string) {
  const seed = (await (await fetch(`${baseUrl}/sandbox/seed`)).json()) as Record<string, Answer>;
  const { base_url, key_id, key_secret } = seed[provider] ?? {};
  const authorization = `Basic ${Buffer.from(`${String(key_id)}:${String(key_secret)}`).toString('base64')}`;
  const answer = await fetch(`${String(base_url)}/v1/orders/${order_id}/payments`, {
    headers: { authorization },
  });
  const { items } = (await answer.json()) as { items: { id: string }[] };
  const payment_id = items[0]?.id ?? '';
  const signature = createHmac('sha256', String(key_secret))
    .update(`${order_id}|${payment_id}`)
    .digest('hex');
  return {
    razorpay_payment_id: payment_id,
    razorpay_order_id: order_id,
    razorpay_signature: signature,
  };
}
