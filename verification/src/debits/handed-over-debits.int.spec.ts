import { istInstant } from '@fundrail/contracts';
import { capturedAs } from '@fundrail/payments/testing';
import { attemptReference } from '@fundrail/providers';
import { waitFor } from '@fundrail/testing';
import { DebitPlay } from '../testing/debits/debit-play.ts';

const PLANNED = istInstant('2026-12-22', '13:00');
const NOTICE = {
  ...{ notice_begun_at: istInstant('2026-12-21', '09:00'), notified_at: istInstant('2026-12-21', '09:00') },
  ...{ notice_reference: 'notice_of_0.1', notice_proof: '{"notice":"sent"}', told_execute_at: PLANNED },
};
const SENT = { ...NOTICE, planned_at: istInstant('2026-12-21', '09:00') };
const ATTEMPT = { number: 1, started_at: istInstant('2026-12-21', '09:30') };

/** The clock stands at 2026-12-21 10:00 IST. Payments has the rows that release 0.1 wrote, and the order is at the gateway. */
describe('a debit that payments of release 0.1 has begun', () => {
  let play: DebitPlay;
  let id: number;
  beforeEach(async () => {
    play = await DebitPlay.start();
    id = await play.raised();
  });
  afterEach(() => play.stop());

  const insert = (table: string, row: object) => {
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    const text = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${places.join(', ')})`;
    return play.stage.rows(text, ...Object.values(row));
  };

  async function begun(kind: string, debit: object, ...attempts: readonly object[]): Promise<void> {
    const { mandate, order } = play;
    const { mandate_type, mandate_token } = mandate;
    const of = { payment_id: id, tenant: 'demo' };
    await play.stage.rows('DELETE FROM order_states');
    const state = order.state === 'failed' ? 'failed' : 'submitted';
    await insert('order_states', {
      ...{ old_id: order.old_id, tenant: 'demo', order_id: order.id, state, sequence: 9 },
    });
    await insert('debits', {
      ...{ ...of, mandate_id: mandate.id, mandate_type, mandate_token, execute_at: PLANNED },
      ...debit,
    });
    for (const attempt of attempts)
      await insert('debit_attempts', { ...of, reference: attemptReference(id, 1), ...attempt });
    await isDue(kind);
    play.stage.wake();
    await waitFor(async () => (await play.stage.rows('SELECT 1 FROM debits')).length === 0);
    await play.stage.settled();
  }

  const isDue = (kind: string) =>
    insert('due_work', { kind, key: String(id), tenant: 'demo', due_at: play.stage.clock.now() });

  const paid = async (attempt: number) => {
    await play.reportAttempt(id, attempt, capturedAs('c1', '5000'));
    await play.stage.until(id, ({ status }) => !['PENDING', 'SUBMITTED', 'FAILED'].includes(status));
    expect(await play.row(id)).toMatchObject({ state: 'succeeded' });
    expect(await play.stage.rows('SELECT 1 FROM debit_attempts')).toEqual([]);
  };

  it('given nothing but its order was ready, then it is notified and executed here', async () => {
    await begun('debit.notify', {});
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    await play.passUntil('2026-12-22 13:00');
    await waitFor(() => play.bank.executed.length === 1);
    expect(play.bank.notices).toHaveLength(1);
    await paid(1);
  });

  it('given its notice was begun, then the same notice is sent again', async () => {
    await begun('debit.notify', { notice_begun_at: NOTICE.notice_begun_at });
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    expect(play.bank.notices).toMatchObject([{ reference: attemptReference(id, 1), notice_number: 1 }]);
  });

  it('given its notice was sent, then it is executed at the time of the notice, with its reference, once', async () => {
    await begun('debit.execute.gatewaypoa', SENT);
    expect(await play.row(id)).toMatchObject({ state: 'planned', execute_at: PLANNED });
    await play.passUntil('2026-12-22 12:59');
    expect(play.bank.executed).toEqual([]);
    await play.passUntil('2026-12-22 13:00');
    await waitFor(() => play.bank.executed.length === 1);
    expect(play.bank.notices).toEqual([]);
    expect(play.bank.executed).toMatchObject([{ attempt: 1, notice_reference: 'notice_of_0.1' }]);
    await paid(1);
  });

  it('given an attempt is open, then its result counts, and it is not sent again', async () => {
    await begun('debit.status', SENT, { ...ATTEMPT, accepted_at: ATTEMPT.started_at });
    expect(await play.row(id)).toMatchObject({ state: 'attempting' });
    await play.passUntil('2026-12-22 13:00');
    expect(play.bank.executed).toEqual([]);
    await paid(1);
  });

  it('given an attempt has failed, then the retry is its second attempt', async () => {
    const failed = { ...ATTEMPT, ended_at: ATTEMPT.started_at, failure_code: 'insufficient_funds' };
    await begun('debit.execute.gatewaypoa', SENT, failed);
    await play.passUntil('2026-12-22 13:00');
    await waitFor(() => play.bank.executed.length === 1);
    expect(play.bank.executed).toMatchObject([{ attempt: 2, notice_reference: 'notice_of_0.1' }]);
    await paid(2);
  });

  it('given an intent that was never called, then the attempt has the same number', async () => {
    await begun('debit.status', SENT, { ...ATTEMPT, uncalled: true });
    await play.passUntil('2026-12-22 13:00');
    await waitFor(() => play.bank.executed.length === 1);
    expect(play.bank.executed).toMatchObject([{ attempt: 1 }]);
  });

  it.each([
    ['its mandate has ended', { mandate_ended_at: SENT.planned_at }, 'mandate_cancelled'],
    ['its notice did not arrive', { notice_failed_at: SENT.planned_at }, 'payment_failed'],
  ])('given %s, then the open attempt is the last one', async (_, debit, failure_code) => {
    await begun('debit.status', { ...SENT, ...debit }, ATTEMPT);
    const failed = { status: 'failed', failure_code: 'insufficient_funds', message: 'x' } as const;
    await play.reportAttempt(id, 1, failed);
    await play.status(id, 'FAILED');
    expect(await play.row(id)).toMatchObject({ state: 'failed', stop_code: failure_code });
  });

  it('given release 0.1 has taken the money, then it is not debited again, and has succeeded', async () => {
    await play.stage.rows(`UPDATE payments SET status = 'SUCCESS', received_amount = amount`);
    await begun('debit.status', SENT, { ...ATTEMPT, ended_at: ATTEMPT.started_at });
    expect(await play.row(id)).toMatchObject({ state: 'succeeded' });
    await play.passUntil('2026-12-22 13:00');
    await play.stage.pass(1);
    expect(play.bank.executed).toEqual([]);
  });

  it('given a stop and an intent that was never called, then it fails', async () => {
    const stop = { notice_failed_at: SENT.planned_at };
    await begun('debit.status', { ...SENT, ...stop }, { ...ATTEMPT, uncalled: true });
    expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_failed' });
    expect(await play.row(id)).toMatchObject({ state: 'failed' });
  });

  it('given the call for its notice is under way, then it is not made a second time', async () => {
    const notice_called_at = play.stage.clock.now();
    await begun('debit.notify', { notice_begun_at: NOTICE.notice_begun_at, notice_called_at });
    expect(play.bank.notices).toEqual([]);
    await play.stage.pass(60_000);
    await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
    expect(play.bank.notices).toHaveLength(1);
  });

  it('given its order has ended, then it fails and its notice is withdrawn', async () => {
    play.order.state = 'failed';
    await begun('debit.execute.gatewaypoa', SENT);
    expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_failed' });
    await waitFor(() => play.bank.withdrawn.length === 1);
    expect(play.bank.withdrawn).toMatchObject([{ notice_reference: 'notice_of_0.1' }]);
  });

  it('given further work of it is due, then it is handed over once, with its account', async () => {
    await begun('debit.notify', { ...SENT, mf_investment_account: 'mfia_of_0.1' });
    expect(await play.row(id)).toMatchObject({ mf_investment_account: 'mfia_of_0.1' });
    const handed = await play.stage.events(id);
    await isDue('debit.status');
    await play.stage.settled();
    expect(await play.stage.events(id)).toEqual(handed);
    expect(handed.filter((type) => type === 'payment.debit_handed_over')).toHaveLength(1);
  });
});
