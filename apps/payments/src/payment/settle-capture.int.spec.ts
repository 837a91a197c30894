import { setFaultHandler } from '@fundrail/testing';
import type { PaymentDto } from '@fundrail/contracts';
import { createHmac } from 'node:crypto';
import { orderOf, signatureOf } from '../testing/fake-checkout.ts';
import { SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';
import { paymentReference } from './references.ts';

const yes = <T>(value: T) => ({ kind: 'yes', value }) as const;
const PAY = 'pay_1';

describe('capture (contract §3 "SDK capture")', () => {
  let stage: PaymentsStage;
  let id: number;
  let order: string;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    stage.neighbours.settings.sdk_options_enabled = true;
    ({ id } = (await stage.checkOut([stage.neighbours.anOrder()])).json<{ id: number }>());
    order = orderOf(paymentReference(id));
  });
  afterEach(() => stage.end());

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
  /** The fields of the form that posts back. */
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
  ])('as %s asks the provider, makes it SUCCESS, and answers the signed postback page', async (_, post) => {
    captured();
    const answer = await post(signed({ something_new: '1' }));
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const { signature, ...told } = postbackIn(answer.body);
    expect(told).toEqual({ paymentId: String(id), status: 'success', failureCode: '', failureReason: '' });
    expect(signature).toBe(createHmac('sha256', 'secret').update(`${id}|success||`).digest('hex'));
    expect(await status()).toBe('SUCCESS');
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

  it('is not believed without the capture: the page says pending', async () => {
    const answer = await json(signed());
    expect(postbackIn(answer.body)['status']).toBe('pending');
    expect(await status()).toBe('PENDING');
  });

  it('repeated, ten at once, has one effect', async () => {
    captured();
    const answers = await Promise.all(Array.from({ length: 10 }, () => json(signed())));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    await json(signed());
    expect((await stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
    expect((await stage.get(id)).refunds).toEqual([]);
  });

  describe('of an error', () => {
    const failed = { 'error[code]': 'BAD_REQUEST_ERROR', 'error[reason]': 'payment_cancelled' };

    it.each([
      ['a form', () => form(failed)],
      ['JSON', () => json({ error: { code: 'BAD_REQUEST_ERROR', metadata: { order_id: 'x' } } })],
    ])('as %s is a hint only: while the provider says nothing, the page says pending', async (_, post) => {
      stage.sdkvendor.onStatus.set(SILENCE);
      expect(postbackIn((await post()).body)['status']).toBe('pending');
      expect(await status()).toBe('PENDING');
    });

    it('does not fail a payment that the provider says was captured', async () => {
      captured();
      expect(postbackIn((await form(failed)).body)['status']).toBe('success');
    });

    it('tells the failure once the provider has said it', async () => {
      stage.sdkvendor.onStatus.set(yes({ status: 'failed', failure_code: 'payment_failed', message: '' }));
      expect(postbackIn((await form(failed)).body)).toMatchObject({
        status: 'failure',
        failureCode: 'payment_failed',
        failureReason: 'The payment failed.',
      });
    });
  });

  it('after the payment expired leaves it FAILED and gives the money back', async () => {
    await stage.pass(30 * 60_000);
    await stage.until(id, (payment: PaymentDto) => payment.status === 'FAILED');
    captured();
    expect(postbackIn((await json(signed())).body)['status']).toBe('failure');
    expect(await stage.get(id)).toMatchObject({ late_auth: true, refund_reason: 'late_authorization' });
  });

  it('that breaks between the provider’s answer and its record is found by asking, once', async () => {
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

  it('of no payment, or of one without a checkout, is a 404', async () => {
    const other = await stage.pay();
    for (const nobody of [999_999, 'x', other]) expect((await json(signed(), nobody)).statusCode).toBe(404);
  });
});
