import { yes } from '@fundrail/testing';
import { capturedAs } from '../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../testing/start-payments.ts';
import { AskAgain } from './ask-again.ts';

describe('a payment that reconciliation asks about again', () => {
  let stage: PaymentsStage;
  let ask: AskAgain;
  beforeAll(async () => {
    stage = await PaymentsStage.start();
    ask = stage.service.app.get(AskAgain);
  });
  afterAll(() => stage.stop());

  const issued = async () => {
    const order = stage.neighbours.anOrder();
    const id = await stage.pay(order);
    await stage.orderBecomes(order, 'submitted');
    await stage.until(id, ({ upi }) => upi?.uri !== null);
    return id;
  };

  it('becomes successful when its money was not booked', async () => {
    const id = await issued();
    stage.provider.onStatus.set(yes(capturedAs('pay_1', '5000')));
    expect(await ask.aboutPayment(id)).toBe(true);
    await stage.until(id, inStatus('INITIATED'));
  });

  it('refunds a second capture whose callback was lost, at a provider without a checkout too (CAP-4)', async () => {
    const id = await issued();
    stage.provider.onStatus.set(yes(capturedAs('pay_2', '5000')));
    await ask.aboutPayment(id);
    await stage.until(id, inStatus('INITIATED'));
    stage.provider.onStatus.set(yes(capturedAs('pay_3', '5000')));
    expect(await ask.aboutPayment(id)).toBe(true);
    const { status, refunds } = await stage.get(id);
    expect([status, refunds.map(({ reason, amount }) => [reason, Number(amount)])]).toEqual([
      'INITIATED',
      [['duplicate_payment', 5000]],
    ]);
  });

  it('does not exist: nothing is asked', async () => {
    const { calls } = stage.provider.onStatus;
    expect(await ask.aboutPayment(999_999)).toBe(false);
    expect(stage.provider.onStatus.calls).toBe(calls);
  });
});
