import type { AskedNow } from '@fundrail/contracts';
import { paymentReference, type Answer, type ProviderPaymentStatus } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { SILENCE } from '../testing/fake-provider.ts';
import { capturedAs } from '../testing/payments.builder.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** No payment expires within these tests. */
const LONG = { PAYMENT_EXPIRY_MINUTES: '1440', UPI_URI_EXPIRY_MINUTES: '1440' };

describe('POST /admin/payments/:id/ask', () => {
  let stage: PaymentsStage;
  const replicas: PaymentsStage[] = [];
  beforeEach(async () => {
    stage = await PaymentsStage.start(LONG);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const replica of replicas.splice(0)) await replica.stop();
    await stage.stop();
  });

  const ask = async (id: number | string, { at = stage, tenant = 'demo', scope = 'admin' } = {}) => {
    const authorization = stage.neighbours.tokens.header(tenant, scope);
    const answer = await at.send('POST', `/admin/payments/${id}/ask`, undefined, { authorization });
    const wait = answer.headers['retry-after'];
    return [answer.status, answer.status === 202 ? answer.json<AskedNow>().asked : wait] as const;
  };
  const pass = async (ms: number) => {
    stage.clock.advance(ms);
    for (const one of [stage, ...replicas]) one.wake();
    await stage.settled();
  };
  const questions = () => stage.provider.onStatus.calls;
  const STATUS = [202, ['payment.status']] as const;
  /** A payment whose URI is out, and nothing is due. */
  const payable = async () => {
    const id = await stage.payable();
    await stage.settled();
    return id;
  };
  /** One whose three questions were asked within five minutes. */
  const askedThrice = async () => {
    const id = await payable();
    await pass(90 * SECOND);
    for (const ms of [90 * SECOND, 2 * MINUTE]) {
      await pass(ms);
      expect(await ask(id)).toEqual(STATUS);
      await stage.settled();
    }
    expect(questions()).toBe(3);
    return id;
  };

  it('causes one call, of the worker, and is a 429 for the next minute (ADMIN-16)', async () => {
    const id = await payable();
    await pass(2 * MINUTE);
    expect(questions()).toBe(1);
    expect(await ask(id)).toEqual(STATUS);
    await stage.settled();
    expect(questions()).toBe(2);
    expect(await ask(id)).toEqual([429, '60']);
    await pass(59_999);
    expect(await ask(id)).toEqual([429, '1']);
    await pass(1);
    expect(await ask(id)).toEqual(STATUS);
  });

  it('by UPI waits for the time of the first question (ADMIN-17)', async () => {
    const id = await payable();
    await pass(30 * SECOND);
    expect(await ask(id)).toEqual([429, '60']);
    expect(questions()).toBe(0);
  });

  it('by UPI takes the place of planned questions: the fourth is a 429 until two hours are over (ADMIN-17)', async () => {
    const id = await askedThrice();
    await pass(MINUTE);
    expect(await ask(id)).toEqual([429, String(114 * 60)]);
    await pass(114 * MINUTE - 1);
    expect([questions(), await ask(id)]).toEqual([3, [429, '1']]);
    await pass(1);
    expect(await ask(id)).toEqual(STATUS);
    await stage.settled();
    expect(questions()).toBe(4);
    await pass(5 * MINUTE);
    expect(questions()).toBe(5);
  });

  it('by UPI counts also when a report or a cancel plans the questions again (ADMIN-17)', async () => {
    const id = await askedThrice();
    await stage.report({ reference: paymentReference(id), fact: null });
    await stage.settled();
    expect(questions()).toBe(4);
    await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    await pass(115 * MINUTE);
    expect([questions(), (await stage.get(id)).status]).toEqual([4, 'FAILED']);
    await pass(5 * MINUTE);
    expect(questions()).toBe(5);
  });

  it('by several operators at several replicas at once is accepted once, with one call', async () => {
    while (replicas.length < 4) replicas.push(await stage.replica());
    const id = await payable();
    await pass(2 * MINUTE);
    const everywhere = [stage, ...replicas, stage, ...replicas];
    const answers = await Promise.all(everywhere.map((at) => ask(id, { at })));
    expect(answers.filter(([status]) => status === 202)).toHaveLength(1);
    expect(answers.filter(([status]) => status === 429)).toHaveLength(9);
    for (const one of [stage, ...replicas]) one.wake();
    await stage.settled();
    expect(questions()).toBe(2);
  });

  it('while the worker is asking doubles nothing, and is no question', async () => {
    const id = await payable();
    const hanging = Promise.withResolvers<Answer<ProviderPaymentStatus, 'payment_failed'>>();
    const status = jest.spyOn(stage.provider, 'paymentStatus').mockReturnValueOnce(hanging.promise);
    stage.clock.advance(90 * SECOND);
    stage.wake();
    await waitFor(() => status.mock.calls.length === 1);
    expect([await ask(id), await ask(id)]).toEqual([STATUS, STATUS]);
    hanging.resolve(SILENCE);
    await stage.settled();
    expect(status).toHaveBeenCalledTimes(1);
    expect(await stage.rows('SELECT FROM asked_now')).toEqual([]);
    await pass(510 * SECOND);
    expect(status).toHaveBeenCalledTimes(2);
  });

  it('repeats a transfer without an answer, whose pauses go on', async () => {
    stage.provider.onTransfer.set(SILENCE);
    const id = await payable();
    const reference = paymentReference(id);
    await stage.report({ reference, fact: { about: 'payment', payment: capturedAs('c1', '5000') } });
    await stage.until(id, ({ status }) => status === 'INITIATED');
    await stage.settled();
    const before = stage.provider.onTransfer.calls;
    expect(await ask(id)).toEqual([202, ['payment.transfer']]);
    await stage.settled();
    expect(stage.provider.onTransfer.calls).toBe(before + 1);
    const due = await stage.rows(`SELECT attempts, due_at FROM due_work WHERE kind = 'payment.transfer'`);
    expect(due).toEqual([{ attempts: 2, due_at: new Date(stage.clock.now().getTime() + 30 * SECOND) }]);
  });

  it('asks about a refund of a payment that has failed', async () => {
    stage.provider.onRefund.set(SILENCE);
    const id = await payable();
    await stage.send('POST', `/api/pg/payments/${id}/cancel`);
    const reference = paymentReference(id);
    await stage.report({ reference, fact: { about: 'payment', payment: capturedAs('c1', '5000') } });
    await stage.settled();
    const before = stage.provider.onRefund.calls;
    expect(await ask(id)).toEqual([202, ['payment.refund']]);
    await stage.settled();
    expect(stage.provider.onRefund.calls).toBe(before + 1);
  });

  it('makes the question when it is missing', async () => {
    const id = await payable();
    await pass(2 * MINUTE);
    await stage.rows(`DELETE FROM due_work WHERE kind = 'payment.status'`);
    expect(await ask(id)).toEqual(STATUS);
    await stage.settled();
    expect(questions()).toBe(2);
  });

  it('is a 409 once nothing is asked any more, and needs the scope admin and the tenant (ADMIN-16)', async () => {
    const id = await payable();
    const report = { about: 'payment', payment: capturedAs('c1', '5000') } as const;
    await stage.report({ reference: paymentReference(id), fact: report });
    await stage.until(id, ({ status }) => status === 'INITIATED');
    const reference = paymentReference(id).replace('P', 'T');
    await stage.report({ reference, fact: { about: 'transfer', transfer: { status: 'settled' } } });
    await stage.until(id, ({ status }) => status === 'APPROVED');
    await stage.settled();

    const answers = [
      await ask(id),
      await ask(99_999_999),
      await ask(id, { tenant: 'other' }),
      await ask(id, { scope: 'api' }),
    ];
    expect(answers.map(([status]) => status)).toEqual([409, 404, 404, 403]);
    const path = `/admin/payments/${id}/ask`;
    await waitFor(() => stage.neighbours.audit.filter((entry) => entry === path).length === 3);
  });
});
