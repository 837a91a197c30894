import { parseJson, raisedDebit } from '@fundrail/contracts';
import { serviceToken, waitFor } from '@fundrail/testing';
import { DebitPlay } from '../testing/debits/debit-play.ts';
import type { FakeOrder } from '@fundrail/payments/testing';
import { capturedAs } from '@fundrail/payments/testing';
import type { PaymentsStage } from '@fundrail/payments/testing';

/** How often each race is run, each time with another debit. */
const ROUNDS = 12;

describe('debits on two replicas', () => {
  let play: DebitPlay;
  let other: PaymentsStage;
  beforeEach(async () => {
    play = await DebitPlay.start();
    other = await play.stage.replica();
    await play.addMandates();
  });
  afterEach(async () => {
    await other.stop();
    await play.stop();
  });

  const both = () => [play.stage, other];
  const wake = () => {
    for (const stage of both()) stage.wake();
  };
  /** `ROUNDS` debits with their notices sent. */
  const manyNotified = async () => {
    const orders = Array.from({ length: ROUNDS }, () =>
      play.stage.neighbours.anOrder({ state: 'submitted' }),
    );
    const ids = await Promise.all(orders.map((order) => play.raised(play.mandate, order)));
    await waitFor(async () => {
      wake();
      return (await play.rows('SELECT 1 FROM mandate_debits WHERE notified_at IS NULL')).length === 0;
    });
    return ids;
  };
  const due = () => {
    play.stage.clock.advance(
      new Date('2026-12-22T13:00:00+05:30').getTime() - play.stage.clock.now().getTime(),
    );
    wake();
  };
  const statuses = (ids: readonly number[]) =>
    Promise.all(ids.map(async (id) => (await play.stage.get(id)).status));

  it('send one notice for each, and execute each once', async () => {
    const ids = await manyNotified();
    expect(new Set(play.bank.notices.map(({ reference }) => reference)).size).toBe(ROUNDS);
    expect(play.bank.notices).toHaveLength(ROUNDS);
    due();
    await waitFor(async () => {
      wake();
      return (await statuses(ids)).every((status) => status === 'SUBMITTED');
    });
    expect(play.bank.executed).toHaveLength(ROUNDS);
    expect(new Set(play.bank.executed.map(({ reference }) => reference)).size).toBe(ROUNDS);
    expect(await play.rows('SELECT 1 FROM debit_attempts')).toHaveLength(ROUNDS);
  });

  it('given the answers to an execution and to a status query at the same time, then one success and one capture each', async () => {
    const answered = Promise.withResolvers<void>();
    play.bank.beforeAnswer = (call) => (call === 'execute' ? answered.promise : Promise.resolve());
    play.bank.debitStatus = (debit) =>
      Promise.resolve({ kind: 'yes', value: capturedAs(`c${debit.payment_id}`, '5000') });
    const ids = await manyNotified();
    due();
    await waitFor(() => play.bank.executed.length === ROUNDS);
    play.stage.clock.advance(90_000);
    wake();
    answered.resolve();
    await waitFor(async () => {
      wake();
      return (await statuses(ids)).every((status) => status === 'SUCCESS' || status === 'INITIATED');
    });
    expect(await play.stage.rows('SELECT 1 FROM captures')).toHaveLength(ROUNDS);
    for (const id of ids)
      expect((await play.stage.events(id)).filter((type) => type === 'payment.success')).toHaveLength(1);
  });

  it('given a cancellation and an execution at the same time, then each is either cancelled and not executed, or goes on', async () => {
    const ids = await manyNotified();
    due();
    const answers = await Promise.all(
      ids.map((id, index) => (index % 2 ? other : play.stage).send('POST', `/api/pg/payments/${id}/cancel`)),
    );
    await play.stage.pass(0);
    const executed = new Set(play.bank.executed.map(({ payment_id }) => payment_id));
    for (const [index, id] of ids.entries()) {
      const { status, failure_code } = await play.stage.get(id);
      const isCancelled = status === 'FAILED' && failure_code === 'user_cancelled';
      expect([id, isCancelled, answers[index]?.status === 200]).toEqual([id, !executed.has(id), isCancelled]);
    }
  });

  it('given two concurrent requests for the same order, then one debit, one claim and one admission', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = play.stage.neighbours.anOrder();
      const answers = await Promise.all(both().map((stage) => stage.debit(play.mandate.id, order)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
    expect(await play.rows('SELECT 1 FROM mandate_debits')).toHaveLength(ROUNDS);
    expect(await play.held()).toHaveLength(ROUNDS);
  });

  it('given orders requests the same installment from both concurrently, then both return the same debit', async () => {
    const ask = async (stage: PaymentsStage, { old_id, id: order_id }: FakeOrder) => {
      const body = { tenant: 'demo', mandate_id: play.mandate.id, old_id, order_id };
      const headers = { authorization: serviceToken('orders') };
      return stage.send('POST', '/internal/payments/debits', body, headers);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = play.stage.neighbours.anInstallment();
      const first = await Promise.all([...both(), ...both()].map((stage) => ask(stage, order)));
      const again = await ask(other, order);
      const ids = [...first, again]
        .filter(({ status }) => status !== 503)
        .map(({ body }) => raisedDebit.parse(parseJson(body)))
        .map((answer) => (answer.outcome === 'raised' ? answer.payment_id : answer.code));
      expect(new Set(ids)).toEqual(new Set([order.claimed_by]));
    }
    expect(await play.rows('SELECT 1 FROM mandate_debits')).toHaveLength(ROUNDS);
  });
});
