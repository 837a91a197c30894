import { yes } from '@fundrail/testing';
import { SILENCE } from '../testing/fake-provider.ts';
import { capturedAs, rupees } from '../testing/payments.builder.ts';
import { inStatus, PaymentsStage } from '../testing/start-payments.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('money that came in twice without a callback (CAP-4)', () => {
  let stage: PaymentsStage;
  let id: number;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    stage.neighbours.settings.sdk_options_enabled = true;
    ({ id } = (await stage.checkOut([stage.neighbours.anOrder()])).json<{ id: number }>());
  });
  afterEach(() => stage.stop());

  const once = capturedAs('pay_1', '5000');
  const second = { provider_reference: 'pay_2', amount: rupees('5000'), currency: 'INR' };
  const twice = { ...once, others: [second] };
  const known = async () =>
    (await stage.get(id)).refunds.map(({ reason, amount }) => [reason, Number(amount)]);

  it('is found with the first one: the second goes back, once, and the payment is SUCCESS', async () => {
    stage.sdkvendor.onStatus.set(yes(twice));
    await stage.pass(5_000);
    await stage.until(id, inStatus('SUCCESS'));
    expect(await known()).toEqual([['duplicate_payment', 5000]]);
    await stage.pass(30 * MINUTE);
    await stage.pass(0);
    expect(await known()).toEqual([['duplicate_payment', 5000]]);
  });

  it.each([
    ['when the time of the payment ends', 30 * MINUTE],
    ['when three days are over', 3 * DAY],
  ])('is found %s, though the payment was paid long ago', async (_, at) => {
    stage.sdkvendor.onStatus.set(yes(once));
    await stage.pass(5_000);
    await stage.until(id, inStatus('SUCCESS'));
    await stage.pass(0);
    if (at > 30 * MINUTE) {
      await stage.pass(30 * MINUTE);
      await stage.pass(0);
    }
    stage.sdkvendor.onStatus.set(yes(twice));
    await stage.pass(at);
    // Its order was never confirmed, so the first one goes back too, at 23:00.
    await stage.until(id, ({ refunds }) => refunds.some(({ reason }) => reason === 'duplicate_payment'));
  });

  it('causes two status calls in all, not more', async () => {
    stage.sdkvendor.onStatus.set(yes(once));
    await stage.pass(5_000);
    await stage.until(id, inStatus('SUCCESS'));
    await stage.pass(0);
    stage.sdkvendor.onStatus.set(yes(once));
    for (const ms of [30 * MINUTE, 3 * DAY, 3 * DAY]) {
      await stage.pass(ms);
      await stage.pass(0);
    }
    expect(stage.sdkvendor.onStatus.calls).toBe(2);
    expect(await stage.rows(`SELECT key FROM due_work WHERE kind = 'payment.status'`)).toEqual([]);
  });

  it('causes another status call when the provider did not answer', async () => {
    stage.sdkvendor.onStatus.set(yes(once));
    await stage.pass(5_000);
    await stage.until(id, inStatus('SUCCESS'));
    await stage.pass(0);
    stage.sdkvendor.onStatus.set(SILENCE, yes(twice));
    await stage.pass(30 * MINUTE);
    await stage.pass(5 * MINUTE);
    await stage.until(id, ({ refunds }) => refunds.length === 1);
  });

  it('after the payment FAILED goes back as a whole', async () => {
    await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    stage.sdkvendor.onCancel.set({ kind: 'no', failure_code: 'already_paid', message: '' });
    stage.sdkvendor.onStatus.set(yes(twice));
    await stage.pass(5_000);
    await stage.until(id, ({ refunds }) => refunds.length === 2);
    expect(await known()).toEqual([
      ['late_authorization', 5000],
      ['duplicate_payment', 5000],
    ]);
  });

  it('after the payment FAILED is found within three days, and no later', async () => {
    await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    stage.sdkvendor.onStatus.set(yes(twice));
    stage.sdkvendor.onCancel.set({ kind: 'yes', value: null });
    await stage.pass(3 * DAY - MINUTE);
    await stage.pass(0);
    stage.sdkvendor.onStatus.calls = 0;
    await stage.pass(2 * MINUTE);
    await stage.until(id, inStatus('FAILED'));
    await stage.pass(DAY);
    await stage.pass(0);
    expect(await stage.rows(`SELECT key FROM due_work WHERE kind = 'payment.status'`)).toEqual([]);
  });

  it.each<[string, Parameters<typeof stage.sdkvendor.onStatus.set>]>([
    ['', [yes(once)]],
    [', though the provider is silent at the last question', [SILENCE, yes(once)]],
  ])(
    'after the payment FAILED goes back when it came in during the last hour of the three days%s',
    async (_, said) => {
      await stage.send('POST', `/api/pg/payments/${id}/cancel`);
      stage.sdkvendor.onStatus.set(yes({ status: 'waiting' }));
      await stage.pass(3 * DAY - MINUTE);
      await stage.pass(0);
      stage.sdkvendor.onStatus.set(...said);
      await stage.pass(HOUR);
      await stage.pass(HOUR);
      await stage.until(id, ({ refunds }) => refunds.length === 1);
      expect(await known()).toEqual([['late_authorization', 5000]]);
    },
  );
});
