import { NOT_FOUND, YES } from '@fundrail/testing';
import type { ProviderMandate } from '../mandate-ports.ts';
import { NO_ANSWER } from './conformance-stage.ts';
import { eventually } from './eventually.ts';
import { authorised, debited, newDebit, noticed, type MandateStage } from './mandate-stage.ts';

type Stage = () => MandateStage;

/** A repeated notice: the same one, or another one for another day. */
export function noticeRepeats(stage: Stage): void {
  let mandate: ProviderMandate;
  beforeAll(async () => {
    ({ mandate } = await authorised(stage()));
  });

  it('given a notice with another number, when it is sent, then the investor is notified again, of its own day', async () => {
    const debit = await newDebit(stage(), mandate);
    const first = await stage().mandates.notifyDebit(debit);
    const execute_at = new Date(debit.execute_at.getTime() + 3_600_000);
    const second = await stage().mandates.notifyDebit({ ...debit, notice_number: 2, execute_at });
    if (first.kind !== 'yes' || second.kind !== 'yes') throw new Error(second.kind);
    expect(second.value.notice_reference).not.toBe(first.value.notice_reference);
    expect(Math.floor(second.value.execute_at.getTime() / 1000)).toBe(
      Math.floor(execute_at.getTime() / 1000),
    );
    await stage().pass('P1D');
    const { notice_reference } = second.value;
    const due = { ...debit, notice_number: 2, notice_reference, execute_at: await stage().now() };
    expect(await stage().mandates.executeDebit(due)).toEqual(YES);
    expect(await debited(stage(), due)).toMatchObject({ value: { status: 'captured' } });
  });

  it('given a notice, when it is sent again with another day, then the answer contains the original day', async () => {
    const debit = await newDebit(stage(), mandate);
    const first = await stage().mandates.notifyDebit(debit);
    const other = { ...debit, execute_at: new Date(debit.execute_at.getTime() + 90_000_000) };
    expect(await stage().mandates.notifyDebit(other)).toEqual(first);
  });

  it('given a notice whose answer was lost, when it is withdrawn by our own id, then it is withdrawn', async () => {
    const debit = await newDebit(stage(), mandate);
    expect(await stage().mandates.withdrawNotice(debit)).toEqual(NOT_FOUND);
    await stage().mandates.notifyDebit(debit);
    expect(await stage().mandates.withdrawNotice(debit)).toEqual(YES);
    if (stage().voids) expect(await stage().mandates.notifyDebit(debit)).toMatchObject({ kind: 'unknown' });
  });
}

/** Calls that are executed only after they timed out and we repeated them. */
export function overtakenDebits(stage: Stage): void {
  let mandate: ProviderMandate;
  beforeAll(async () => {
    ({ mandate } = await authorised(stage()));
  });

  it('given an execution that is executed only after it was sent again, then all received money is reported', async () => {
    const debit = await noticed(stage(), mandate);
    await stage().disturb('execute', 'overtaken');
    // Long enough that the bank has not answered the second call when the first one is executed.
    await stage().disturb('debit_result', 'late');
    expect(await stage().mandates.executeDebit(debit)).toMatchObject(NO_ANSWER);
    expect(await stage().mandates.executeDebit(debit)).toEqual(YES);
    const moneyOf = async () => {
      const answer = await stage().mandates.debitStatus(debit);
      if (answer.kind !== 'yes' || answer.value.status !== 'captured') return 0;
      return 1 + (answer.value.others ?? []).length;
    };
    const expected = stage().mandates.mayDebitTwice ? 2 : 1;
    await eventually(moneyOf, (count) => count === expected);
  });

  it('given a notice that is executed only after it was sent again, then the debit on the answered one is made once', async () => {
    const debit = await newDebit(stage(), mandate);
    await stage().disturb('notify', 'overtaken');
    expect(await stage().mandates.notifyDebit(debit)).toMatchObject(NO_ANSWER);
    const notice = await stage().mandates.notifyDebit(debit);
    if (notice.kind !== 'yes') throw new Error(notice.kind);
    await stage().pass('P1D');
    const { notice_reference } = notice.value;
    const due = { ...debit, notice_reference, execute_at: await stage().now() };
    expect(await stage().mandates.executeDebit(due)).toEqual(YES);
    const answer = await debited(stage(), due);
    expect(answer).toMatchObject({ value: { status: 'captured' } });
    expect(
      answer.kind === 'yes' && answer.value.status === 'captured' && answer.value.others,
    ).toBeUndefined();
    expect(await stage().mandates.executeDebit({ ...due, notice_reference: null })).not.toMatchObject({
      kind: 'unknown',
    });
  });
}
