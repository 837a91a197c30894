import { createHash } from 'node:crypto';
import { newPayment } from '@fundrail/providers/testing';
import { SimulatorStage } from '../testing/simulator-stage.ts';

/** What a browser computes for the page's style element. */
function hashOfStyle(page: string): string {
  const style = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
  return createHash('sha256').update(style).digest('base64');
}

describe("the investor's page over HTTP (SAND-11)", () => {
  let stage: SimulatorStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
  });
  afterAll(() => stage.end());

  const issued = async () => {
    const payment = newPayment();
    await stage.payments.issueUpiUri(payment);
    return payment;
  };
  const get = (id: number | string) =>
    stage.service.fastify.inject({ method: 'GET', url: `/sandbox/upi/${id}` });
  const press = (id: number, action: string) =>
    stage.service.fastify.inject({
      method: 'POST',
      url: `/sandbox/upi/${id}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: `action=${action}`,
    });

  it('given an issued payment, when it is opened without a token, then it is a page that may load nothing', async () => {
    const answer = await get((await issued()).payment_id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['content-security-policy']).toContain(
      `style-src 'sha256-${hashOfStyle(answer.body)}'`,
    );
    expect(answer.body).toContain('Demo Fund Services');
    expect(answer.body).toContain('<svg');
  });

  it.each([
    ['approve', 'captured', 'Paid'],
    ['decline', 'failed', 'Declined'],
  ])(
    'given a waiting payment, when the investor presses %s, then its status at the provider is %s',
    async (action, status, shown) => {
      const { payment_id, reference } = await issued();
      const answer = await press(payment_id, action);
      expect([answer.statusCode, answer.headers.location]).toEqual([303, `/sandbox/upi/${payment_id}`]);
      expect(await stage.payments.paymentStatus(reference)).toMatchObject({ value: { status } });
      expect((await get(payment_id)).body).toContain(shown);
    },
  );

  it('given a waiting payment, when the investor ignores it, then nothing changes', async () => {
    const { payment_id, reference } = await issued();
    await press(payment_id, 'ignore');
    expect(await stage.payments.paymentStatus(reference)).toMatchObject({ value: { status: 'waiting' } });
  });

  it('given a second click, when it comes, then the payment is captured once', async () => {
    const { payment_id, reference } = await issued();
    await Promise.all([press(payment_id, 'approve'), press(payment_id, 'approve')]);
    await press(payment_id, 'decline');
    expect(await stage.payments.paymentStatus(reference)).toMatchObject({ value: { status: 'captured' } });
  });

  it('given a payment that is not issued, when it is opened, then the page says so', async () => {
    stage.neighbours.payments.set(888_001, 'demo');
    const answer = await get(888_001);
    expect([answer.statusCode, answer.body.includes('Not issued yet')]).toEqual([200, true]);
  });

  it.each(['999999', 'abc', '0'])(
    'given the unknown number %s, when it is opened, then it is a clear 404 page',
    async (id) => {
      const answer = await get(id);
      expect([answer.statusCode, answer.body.includes('Payment request not found')]).toEqual([404, true]);
    },
  );
});
