import { istTimestamp } from '@fundrail/contracts';
import { jest } from '@jest/globals';
import { waitFor } from '@fundrail/testing';
import { DebitPlay, failed, HOUR_MS } from '../testing/debits/debit-play.ts';
import { NOT_FOUND, SILENCE } from '@fundrail/payments/testing';
import { noticeOf } from '@fundrail/payments/testing';
import { rupees } from '@fundrail/payments/testing';

describe('the notice of a debit (RBI e-mandate framework, DEB-8)', () => {
  let play: DebitPlay;
  beforeEach(async () => {
    play = await DebitPlay.start();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    return play.stop();
  });

  const sentNotices = () =>
    play.bank.notices.map(({ notice_number, execute_at }) => [notice_number, minute(execute_at)]);
  const minute = (at: Date) => istTimestamp(at).slice(0, 16);
  const UNDELIVERED = { status: 'failed', message: 'x' } as const;
  /** A debit after its order was submitted. */
  const started = async () => {
    const id = await play.raised();
    await play.stage.orderBecomes(play.order, 'submitted');
    return id;
  };

  it('has five facts: merchant, amount, time, mandate reference and reason; without the merchant none is sent (POL-2)', async () => {
    const id = await play.raised();
    play.stage.neighbours.silent.add('identity');
    await play.stage.orderBecomes(play.order, 'submitted');
    await play.untilRows(`SELECT 1 FROM due_work WHERE kind = 'debit.notify' AND attempts > 0`);
    expect(play.bank.notices).toEqual([]);
    play.stage.neighbours.silent.clear();
    await play.stage.pass(120_000);
    await waitFor(() => play.bank.notices.length === 1);
    const [notice] = play.bank.notices;
    expect(notice).toMatchObject({
      ...{ payment_id: id, merchant: 'Operator', amount: rupees('5000') },
      mandate_ref: `man_${String(play.mandate.id).padStart(32, '0')}`,
      reason: `Mutual fund order ${play.order.old_id}`,
    });
    expect(notice!.execute_at > play.clock.now()).toBe(true);
  });

  it('is repeated to the letter after the merchant was renamed; another notice has the new name (DEB-8)', async () => {
    play.bank.onNotify.set(SILENCE);
    await started();
    await waitFor(() => play.bank.notices.length === 1);
    Object.assign(play.stage.neighbours.settings, { operator_name: 'Renamed' });
    // Longer than a tenant's name is kept.
    const realNow = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => realNow() + 2_000);
    await play.stage.pass(5_000);
    await waitFor(() => play.bank.notices.length === 2);
    const [first, again] = play.bank.notices;
    expect(first).toMatchObject({ merchant: 'Operator', notice_number: 1 });
    expect(again).toEqual(first);
    // The first day is over: another notice is sent, under a reference of its own.
    const over = { ...noticeOf(first!), execute_at: new Date('2026-12-20T13:00:00+05:30') };
    play.bank.onNotify.set({ kind: 'yes', value: over }, null);
    await play.stage.pass(300_000);
    await waitFor(() => play.bank.notices.at(-1)?.notice_number === 2);
    expect(play.bank.notices.at(-1)).toMatchObject({ merchant: 'Renamed' });
  });

  describe('that did not reach the investor', () => {
    it('allows no debit', async () => {
      const id = await play.notified();
      await play.reportNotice(id, UNDELIVERED);
      expect(await play.stage.get(id)).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed' });
      await waitFor(() => play.bank.withdrawn.length === 1);
    });

    it('allows no retry: reported between two attempts, the debit ends immediately', async () => {
      const id = await play.executed();
      await play.reportAttempt(id, 1, failed('insufficient_funds'));
      await play.reportNotice(id, UNDELIVERED);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'payment_failed' });
      await play.passUntil('2026-12-22 21:30');
      await play.stage.pass(0);
      expect(play.bank.executed).toHaveLength(1);
    });

    it('allows no retry: reported while an attempt is open, its result counts and is the last one', async () => {
      const id = await play.executed();
      await play.status(id, 'SUBMITTED');
      await play.reportNotice(id, UNDELIVERED);
      expect(await play.stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      await play.reportAttempt(id, 1, failed('insufficient_funds'));
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'insufficient_funds' });
      await play.passUntil('2026-12-22 21:30');
      await play.stage.pass(0);
      expect(play.bank.executed).toHaveLength(1);
    });
  });

  describe('whose debit the payer refuses (debit_opt_out, DEB-21)', () => {
    const OPTED_OUT = { status: 'opted_out' } as const;
    const refused = { status: 'FAILED', failure_code: 'debit_opted_out' };
    const approved = () =>
      play.rows(`SELECT 1 FROM mandates WHERE id = $1 AND mandate_status = 'APPROVED'`, play.mandate.id);

    it('before its execution fails at once, twice as once, the mandate stays, and the next debit is made', async () => {
      const id = await play.notified();
      await play.reportNotice(id, OPTED_OUT);
      expect(await play.stage.get(id)).toMatchObject({
        ...refused,
        failed_reason: 'You skipped this debit. No money was taken.',
      });
      await waitFor(() => play.bank.withdrawn.length === 1);
      await play.reportNotice(id, OPTED_OUT);
      expect(await play.stage.get(id)).toMatchObject(refused);
      expect(await approved()).toHaveLength(1);
      const next = await play.raised();
      await play.stage.orderBecomes(play.order, 'submitted');
      await waitFor(() => play.bank.notices.length === 2);
      await play.passUntil('2026-12-22 13:00');
      await waitFor(() => play.bank.executed.length === 1);
      expect(play.bank.executed).toMatchObject([{ payment_id: next }]);
    });

    it('while its call is under way counts for the further attempts only: the refusal of the call ends it', async () => {
      const id = await play.executed();
      await play.reportNotice(id, OPTED_OUT);
      await play.reportAttempt(id, 1, failed('debit_opted_out'));
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'debit_opted_out' });
      await play.passUntil('2026-12-22 21:30');
      await play.stage.pass(0);
      expect(play.bank.executed).toHaveLength(1);
    });

    it('after its execution was accepted has the result of that execution', async () => {
      const id = await play.executed();
      await play.status(id, 'SUBMITTED');
      await play.reportNotice(id, OPTED_OUT);
      expect(await play.stage.get(id)).toMatchObject({ status: 'SUBMITTED' });
      const money = { provider_reference: 'r1', amount: rupees('5000'), currency: 'INR' };
      await play.reportAttempt(id, 1, { status: 'captured', ...money });
      await play.stage.until(id, ({ status }) => status !== 'SUBMITTED');
      expect((await play.stage.get(id)).failure_code).toBeNull();
      expect(await approved()).toHaveLength(1);
    });

    it('between two attempts makes no further one', async () => {
      const id = await play.executed();
      await play.reportAttempt(id, 1, failed('insufficient_funds'));
      await play.reportNotice(id, OPTED_OUT);
      expect(await play.status(id, 'FAILED')).toMatchObject(refused);
      await play.passUntil('2026-12-22 21:30');
      await play.stage.pass(0);
      expect(play.bank.executed).toHaveLength(1);
    });

    it('in answer to a replaced notice fails too', async () => {
      const id = await play.notified();
      await play.passUntil('2026-12-22 09:00');
      await play.reportNotice(id, { status: 'delivered', proof: 'delivered', at: null });
      await waitFor(() => play.bank.notices.length === 2);
      await play.reportNotice(id, OPTED_OUT, 1);
      expect(await play.status(id, 'FAILED')).toMatchObject(refused);
    });
  });

  describe('with a day other than the day of the debit', () => {
    const early = { sent_at: new Date('2026-12-21T10:00:00+05:30') };

    it('given it reached the investor late, then a notice with another day is sent, and nothing is debited on the first', async () => {
      const id = await play.notified();
      await play.passUntil('2026-12-22 09:00');
      await play.reportNotice(id, { status: 'delivered', proof: 'delivered', at: null });
      await waitFor(() => play.bank.notices.length === 2);
      expect(sentNotices()).toEqual([
        [1, '2026-12-22T13:00'],
        [2, '2026-12-23T13:00'],
      ]);
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
      // The day in the first notice is still to come, and is no longer the day of the debit.
      await waitFor(() => play.bank.withdrawn.length === 1);
      expect(play.bank.withdrawn).toMatchObject([{ notice_number: 1, notice_reference: null }]);
      await play.passUntil('2026-12-22 13:00');
      await play.stage.pass(0);
      expect(play.bank.executed).toEqual([]);
      expect((await play.row(id)).notice_withdrawn_at).toBeNull();
      await play.passUntil('2026-12-23 13:00');
      await waitFor(() => play.bank.executed.length === 1);
      expect(play.bank.executed[0]?.notice_reference).toContain('_2');
    });

    it('given it was delivered in time and reported late, then the day stays', async () => {
      const id = await play.notified();
      await play.passUntil('2026-12-22 09:00');
      await play.reportNotice(id, { status: 'delivered', proof: 'delivered', at: early.sent_at });
      expect(await play.row(id)).toMatchObject({ notice_proof: 'delivered', notice_number: 1 });
      await play.passUntil('2026-12-22 13:00');
      await waitFor(() => play.bank.executed.length === 1);
    });

    it('given it was sent by a call without an answer, then the money is taken on the day in that notice', async () => {
      play.bank.onNotify.set(SILENCE);
      const id = await started();
      await waitFor(() => play.bank.notices.length === 1);
      const [first] = play.bank.notices;
      if (!first) throw new Error('no notice');
      const kept = { ...noticeOf(first), ...early };
      for (const ms of [5_000, 30_000, 300_000, HOUR_MS]) await play.stage.pass(ms);
      play.bank.onNotify.set({ kind: 'yes', value: kept });
      await play.stage.pass(HOUR_MS);
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
      // The second call contains a later day by then, but the investor has received the first one.
      expect(minute(play.bank.notices.at(-1)?.execute_at ?? new Date(0))).toBe('2026-12-22T13:00');
      expect(minute((await play.row(id)).execute_at)).toBe('2026-12-22T13:00');
    });

    it('given the call without an answer contained a day that is over, then another notice is sent', async () => {
      play.bank.onNotify.set(
        {
          kind: 'yes',
          value: {
            ...{ notice_reference: 'n', proof: 'p', amount: rupees('5000') },
            execute_at: new Date('2026-12-20T13:00:00+05:30'),
            sent_at: null,
          },
        },
        null,
      );
      await started();
      await waitFor(() => play.bank.notices.length === 2);
      expect(sentNotices()).toEqual([
        [1, '2026-12-22T13:00'],
        [2, '2026-12-22T13:00'],
      ]);
    });

    it('given no replica ran on the day in the notice, then another notice is sent', async () => {
      const id = await play.notified();
      await play.passUntil('2026-12-23 00:01');
      await waitFor(() => play.bank.notices.length === 2);
      expect([play.bank.executed, play.bank.withdrawn]).toEqual([[], []]);
      expect(await play.stage.until(id, ({ debit_date }) => debit_date === '2026-12-24')).toMatchObject({
        status: 'PENDING',
      });
    });

    it('is sent at most three times: then the debit fails', async () => {
      const notice = { notice_reference: 'n', proof: 'p', amount: rupees('5000'), sent_at: null };
      play.bank.onNotify.set({
        kind: 'yes',
        value: { ...notice, execute_at: new Date('2026-12-20T13:00:00+05:30') },
      });
      const id = await started();
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'pg_timeout' });
      expect(play.bank.notices).toHaveLength(3);
    });
  });

  it('with another amount is not valid: the debit fails, and the notice is withdrawn', async () => {
    const at = new Date('2026-12-22T13:00:00+05:30');
    play.bank.onNotify.set({
      kind: 'yes',
      value: { notice_reference: 'n', proof: 'p', amount: rupees('4999'), execute_at: at, sent_at: null },
    });
    const id = await started();
    expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'pg_server_error' });
    await waitFor(() => play.bank.withdrawn.length === 1);
  });

  describe('without an answer', () => {
    it('is sent with a day that is still far enough, each time', async () => {
      play.bank.onNotify.set(SILENCE);
      await started();
      await waitFor(() => play.bank.notices.length === 1);
      for (let hours = 0; hours < 8; hours += 1) await play.stage.pass(HOUR_MS);
      const days = play.bank.notices.map(({ execute_at }) => minute(execute_at));
      expect([days[0], days.at(-1)]).toEqual(['2026-12-22T13:00', '2026-12-22T21:30']);
    });

    it('for a day ends the debit, and is withdrawn by our own reference', async () => {
      play.bank.onNotify.set(SILENCE);
      const id = await started();
      for (let hours = 0; hours < 26; hours += 1) await play.stage.pass(HOUR_MS);
      expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'pg_timeout' });
      await waitFor(() => play.bank.withdrawn.length === 1);
      expect(play.bank.withdrawn[0]).toMatchObject({ notice_reference: null, notice_number: 1 });
      await play.untilRows('SELECT 1 FROM mandate_debits WHERE notice_withdrawn_at IS NOT NULL');
    });

    it('is withdrawn when its order ends', async () => {
      play.bank.onNotify.set(SILENCE);
      const id = await started();
      await waitFor(() => play.bank.notices.length === 1);
      await play.stage.orderBecomes(play.order, 'failed', 'mf_purchase.failed');
      await play.status(id, 'FAILED');
      await waitFor(() => play.bank.withdrawn.length === 1);
    });

    it.each([
      ['is cancelled', { kind: 'yes', value: { status: 'cancelled' } }],
      ['is not found either', NOT_FOUND],
    ] as const)(
      'because the provider does not know the mandate ends the debit when the mandate status %s',
      async (_what, status) => {
        play.bank.onNotify.set(NOT_FOUND);
        play.bank.onMandateStatus.set(status);
        const id = await started();
        expect(await play.status(id, 'FAILED')).toMatchObject({ failure_code: 'mandate_cancelled' });
        expect(play.bank.notices).toHaveLength(1);
      },
    );

    it.each([
      ['is active', { kind: 'yes', value: { status: 'active' } }],
      ['gets no answer', SILENCE],
    ] as const)(
      'because the provider does not know the mandate is sent again while the mandate status %s',
      async (_what, status) => {
        play.bank.onNotify.set(NOT_FOUND, null);
        play.bank.onMandateStatus.set(status);
        const id = await started();
        await waitFor(() => play.bank.notices.length === 1);
        await play.stage.pass(5_000);
        await play.untilRows('SELECT 1 FROM mandate_debits WHERE notified_at IS NOT NULL');
        expect(await play.stage.get(id)).toMatchObject({ status: 'PENDING' });
      },
    );
  });
});
