import type { PaymentDto } from '@fundrail/contracts';
import { paymentReference } from '@fundrail/providers';
import { setFaultHandler, yes } from '@fundrail/testing';
import { createHmac } from 'node:crypto';
import { CheckoutBrowser } from '../../testing/checkout-browser.ts';
import { orderOf, signatureOf } from '../../testing/fake-checkout.ts';
import { SILENCE } from '../../testing/fake-provider.ts';
import { capturedAs } from '../../testing/payments.builder.ts';
import { PaymentsStage } from '../../testing/start-payments.ts';

const PAY = 'pay_1';

describe('capture (CAP-6 to CAP-11)', () => {
  let stage: PaymentsStage;
  let id: number;
  let order: string;
  /** The hosted page's link, without its origin. */
  let link: string;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    stage.neighbours.settings.sdk_options_enabled = true;
    const made = (await stage.checkOut([stage.neighbours.anOrder()])).json<{
      id: number;
      token_url: string;
    }>();
    ({ id } = made);
    const { pathname, search } = new URL(made.token_url);
    link = pathname + search;
    order = orderOf(paymentReference(id));
  });
  afterEach(() => stage.stop());

  const signed = (changes: Record<string, string> = {}): Record<string, string> => ({
    razorpay_payment_id: PAY,
    razorpay_order_id: order,
    razorpay_signature: signatureOf(order, PAY),
    ...changes,
  });
  const path = (payment: number | string = id) => `/api/pg/payments/netbanking/sdkvendor/capture/${payment}`;
  const json = (body: object, payment?: number | string) =>
    stage.service.fastify.inject({ method: 'POST', url: path(payment), payload: body });
  const form = (body: Record<string, string>) =>
    stage.service.fastify.inject({
      method: 'POST',
      url: path(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(body).toString(),
    });
  /** The fields of the postback form. */
  const postbackIn = (page: string): Record<string, string> =>
    Object.fromEntries(
      [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
        ([, name, value]) => [name, value] as [string, string],
      ),
    );
  const status = async () => (await stage.get(id)).status;
  const captured = () => stage.sdkvendor.onStatus.set(yes(capturedAs(PAY, '5000')));

  it.each([
    ['JSON', (body: Record<string, string>) => json(body)],
    ['a form post', (body: Record<string, string>) => form(body)],
  ])(
    'as %s asks the provider, makes it SUCCESS, and answers the signed postback page (PAGE-6)',
    async (_, post) => {
      captured();
      const answer = await post(signed({ something_new: '1' }));
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const { signature, ...fields } = postbackIn(answer.body);
      expect(fields).toEqual({
        paymentId: String(id),
        status: 'success',
        failureCode: '',
        failureReason: '',
      });
      expect(signature).toBe(createHmac('sha256', 'secret').update(`${id}|success||`).digest('hex'));
      expect(await status()).toBe('SUCCESS');
    },
  );

  it('shows the receipt with orders and date to a payer who returns with a signature', async () => {
    captured();
    const { body } = await form(signed());
    for (const part of ['Payment reference', String(id), 'Mutual fund order', '₹5,000.00', 'Date'])
      expect(body).toContain(part);
  });

  it('given a link that was never opened, when it expires, then its page shows that the payment has ended, and does not deny that money came in', async () => {
    captured();
    await json(signed());
    await stage.pass(15 * 60_000);
    const shown = await new CheckoutBrowser(stage).open(link);
    expect([shown.status, shown.html.includes('This payment has ended')]).toEqual([410, true]);
    expect(shown.html).not.toMatch(/No money|start again/);
  });

  it.each([
    ['a wrong signature', () => signed({ razorpay_signature: 'f'.repeat(64) })],
    ['ids that were exchanged', () => signed({ razorpay_payment_id: 'pay_2' })],
    [
      'a signature of another order, replayed',
      () => signed({ razorpay_order_id: 'order_x', razorpay_signature: signatureOf('order_x', PAY) }),
    ],
    ['no signature', () => signed({ razorpay_signature: '' })],
  ])('with %s is a 400 and changes nothing', async (_, body) => {
    captured();
    const answer = await json(body());
    expect([
      answer.statusCode,
      answer.json<{ error: { errors: [{ field: string }] } }>().error.errors[0].field,
    ]).toEqual([400, 'razorpay_signature']);
    expect([await status(), stage.sdkvendor.onStatus.calls]).toEqual(['PENDING', 0]);
  });

  it('does not count without the capture: the page shows pending', async () => {
    const answer = await json(signed());
    expect(postbackIn(answer.body)['status']).toBe('pending');
    expect(await status()).toBe('PENDING');
  });

  it('repeated ten times concurrently has one effect', async () => {
    captured();
    const answers = await Promise.all(Array.from({ length: 10 }, () => json(signed())));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    await json(signed());
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
    expect((await stage.get(id)).refunds).toEqual([]);
  });

  describe('of an error', () => {
    const unproven = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[reason]': 'payment_cancelled' };
    /** As Razorpay posts it: the metadata is a JSON text. */
    const failedOf = (order_id: string) => ({
      ...unproven,
      'error[metadata]': JSON.stringify({ payment_id: PAY, order_id }),
    });
    let failed: Record<string, string>;
    beforeEach(() => {
      failed = failedOf(order);
    });

    it.each([
      ['without its order', () => form(unproven)],
      ['with the order of another payment', () => form(failedOf(orderOf(paymentReference(id + 1))))],
      ['with no order', () => form(failedOf(''))],
      ['with metadata that is none', () => form({ ...unproven, 'error[metadata]': '{' })],
      ['as JSON without its order', () => json({ error: { code: 'x', metadata: null } })],
      ['as JSON with another order', () => json({ error: { code: 'x', metadata: { order_id: 'order_x' } } })],
    ])('%s by a stranger is answered with nothing of the payment, however it stands', async (_, post) => {
      const pages = [await post()];
      captured();
      pages.push(await post());
      expect(await status()).toBe('SUCCESS');
      pages.push(await post());
      for (const page of pages) {
        expect([page.statusCode, page.body]).toEqual([200, pages[0]?.body]);
        expect(page.body).not.toMatch(/signature|<form|app\.example|5,000|value=/);
        expect(page.headers['content-security-policy']).toContain("form-action 'self';");
      }
    });

    it.each([
      ['a form', () => form(failed)],
      ['a form with single fields', () => form({ ...unproven, 'error[metadata][order_id]': order })],
      ['JSON', () => json({ error: { code: 'BAD_REQUEST_ERROR', metadata: { order_id: order } } })],
      ['JSON with its metadata as text', () => json({ error: { metadata: failed['error[metadata]'] } })],
    ])(
      'as %s is a hint only: while the provider reports nothing, the page shows pending',
      async (_, post) => {
        stage.sdkvendor.onStatus.set(SILENCE);
        expect(postbackIn((await post()).body)['status']).toBe('pending');
        expect(await status()).toBe('PENDING');
      },
    );

    it('asks about a UPI attempt on the page only when it is proven (POL-10)', async () => {
      await new CheckoutBrowser(stage).open(link);
      stage.sdkvendor.onStatus.set(SILENCE);
      await form(unproven);
      expect(stage.sdkvendor.onStatus.calls).toBe(0);
      await form(failed);
      expect(stage.sdkvendor.onStatus.calls).toBe(1);
    });

    it('does not fail a payment that the provider reports as captured', async () => {
      captured();
      expect(postbackIn((await form(failed)).body)['status']).toBe('success');
    });

    it('shows the failure once the provider has reported it', async () => {
      stage.sdkvendor.onStatus.set(yes({ status: 'failed', failure_code: 'payment_failed', message: '' }));
      expect(postbackIn((await form(failed)).body)).toMatchObject({
        status: 'failure',
        failureCode: 'payment_failed',
        failureReason: 'The payment failed.',
      });
    });
  });

  it('after the payment expired: it stays FAILED and the money goes back', async () => {
    await stage.pass(30 * 60_000);
    await stage.until(id, (payment: PaymentDto) => payment.status === 'FAILED');
    captured();
    expect(postbackIn((await json(signed())).body)['status']).toBe('failure');
    expect(await stage.get(id)).toMatchObject({ late_auth: true, refund_reason: 'late_authorization' });
  });

  it('that fails between the provider’s answer and its record is found once by a status call', async () => {
    captured();
    const fault = setFaultHandler('payments.status_answered');
    const answer = json(signed());
    await fault.reached;
    fault.fail(new Error('broken'));
    expect([(await answer).statusCode, await status()]).toEqual([500, 'PENDING']);
    await stage.pass(5_000);
    await stage.until(id, (payment: PaymentDto) => payment.status === 'SUCCESS');
    expect((await json(signed())).statusCode).toBe(200);
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
  });

  it('for an unknown payment, or one without a checkout, is a 404', async () => {
    const other = await stage.pay();
    for (const unknown of [999_999, 'x', other]) expect((await json(signed(), unknown)).statusCode).toBe(404);
  });
});
