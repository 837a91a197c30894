import { eventually, newPayment } from '@fundrail/providers/testing';
import { SimulatorStage } from '../testing/simulator-stage.ts';

// SAND-5: late@upi succeeds 7 minutes of business time after it was sent.
describe('collect requests over business time', () => {
  let stage: SimulatorStage;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
  });
  afterAll(() => stage.end());

  const asked = async (vpa: string) => {
    const payment = newPayment();
    expect(await stage.payments.sendCollect(payment, vpa)).toEqual({ kind: 'yes', value: null });
    return payment;
  };
  const pass = (advance: string) => stage.post('/sandbox/clock', { advance });
  const status = async (reference: string) => {
    const answer = await stage.payments.paymentStatus(reference);
    return answer.kind === 'yes' ? answer.value.status : answer.kind;
  };

  it('given late@upi, when seven minutes have passed, then it pays although we withdrew the request', async () => {
    const { reference } = await asked('late@upi');
    await pass('PT6M');
    expect(await status(reference)).toBe('waiting');
    expect(await stage.payments.cancel(reference)).toEqual({ kind: 'yes', value: null });
    await pass('PT1M');
    expect(await status(reference)).toBe('captured');
    expect(
      await eventually(
        () => stage.callbacks.about(reference).length,
        (reported) => reported > 0,
      ),
    ).toBe(1);
  });

  it('given timeout@upi, when an hour has passed, then there is no response', async () => {
    const { reference } = await asked('timeout@upi');
    await pass('PT1H');
    expect(await status(reference)).toBe('waiting');
  });

  it('given another VPA, when the investor is simulated, then the request ends as simulated', async () => {
    const { reference, payment_id } = await asked('asha@okbank');
    await stage.post(`/api/pg/simulate/payments/${payment_id}`, { status: 'SUCCESS' });
    await pass('PT1H');
    expect(await status(reference)).toBe('captured');
  });

  it('given a request that waits, when the page is opened, then it names the VPA and shows no code to scan', async () => {
    const { payment_id } = await asked('asha@okbank');
    const page = await stage.service.fastify.inject({ method: 'GET', url: `/sandbox/upi/${payment_id}` });
    expect(page.body).toContain('asha@okbank');
    expect(page.body).not.toContain('<svg');
  });
});
