import { Decimal } from '@fundrail/contracts';
import { NOT_FOUND, YES } from '@fundrail/testing';
import type { ProviderDebit, ProviderMandate } from '../mandate-ports.ts';
import { callbacksOf, NO_ANSWER, SAYING_NOTHING } from './conformance-stage.ts';
import { BadSignature } from '../answer.ts';
import { authorised, debited, newDebit, noticed, type MandateStage } from './mandate-stage.ts';

type Stage = () => MandateStage;

/** The same debit, tried again: another attempt of the same payment. */
function retryOf(debit: ProviderDebit, parts: Partial<ProviderDebit> = {}): ProviderDebit {
  return { ...debit, reference: `${debit.reference.slice(0, -1)}2`, attempt: 2, ...parts };
}

/** A debit from its notice to its result (DEB-8 to DEB-16). */
export function debitWalk(stage: Stage): void {
  let mandate: ProviderMandate;
  beforeAll(async () => {
    ({ mandate } = await authorised(stage()));
  });
  const executed = async (parts: Partial<ProviderDebit> = {}) => {
    const debit = await noticed(stage(), mandate, parts);
    expect(await stage().mandates.executeDebit(debit)).toEqual(YES);
    return debit;
  };

  it.each(['5000', '1001.5', '1.01'])(
    'given ₹%s and a notice of a day ago, when it is executed, then exactly that amount is received',
    async (rupees) => {
      const amount = Decimal.parse(rupees);
      const debit = await executed({ amount });
      expect(await debited(stage(), debit)).toMatchObject({
        value: { status: 'captured', amount, currency: 'INR' },
      });
    },
  );

  it('given an account without money, when it is executed, then it failed: insufficient_funds', async () => {
    const debit = await executed({ amount: Decimal.parse('1003.5') });
    const failed = { status: 'failed', failure_code: 'insufficient_funds' };
    expect(await debited(stage(), debit)).toMatchObject({ value: failed });
  });

  it('given a failed attempt, when there is money later, then the retry brings it on the same notice', async () => {
    const first = await executed({ amount: Decimal.parse('1003') });
    await debited(stage(), first);
    const retry = retryOf(first);
    expect(await stage().mandates.debitStatus(retry)).toEqual(NOT_FOUND);
    await stage().disturb('debit_result', 'lost');
    expect(await stage().mandates.executeDebit(retry)).toEqual(YES);
    expect(await stage().mandates.debitStatus(retry)).toMatchObject({ value: { status: 'waiting' } });
    await stage().pay(retry.payment_id);
    expect(await debited(stage(), retry)).toMatchObject({ value: { status: 'captured' } });
    expect(await stage().mandates.debitStatus(first)).toMatchObject({ value: { status: 'failed' } });
  });

  it('given an open attempt, when another is made, then the answer is a no, and only one brings money', async () => {
    // Skipped for a provider that does not refuse it: mandates keeps one attempt open at a time.
    if (stage().mandates.mayDebitTwice) return;
    const debit = await noticed(stage(), mandate);
    await stage().disturb('debit_result', 'lost');
    expect(await stage().mandates.executeDebit(debit)).toEqual(YES);
    expect(await stage().mandates.executeDebit(retryOf(debit))).toMatchObject({ kind: 'no' });
    await stage().pay(debit.payment_id);
    expect(await debited(stage(), debit)).toMatchObject({ value: { status: 'captured' } });
    const third = retryOf(debit, { reference: `${debit.reference.slice(0, -1)}3`, attempt: 3 });
    expect(await stage().mandates.executeDebit(third)).toMatchObject({ kind: 'no' });
  });

  it('given an earlier attempt has brought the money, when another is made, then it is not reported as failed', async () => {
    // With other providers a failed attempt brings no money later.
    if (!stage().mandates.mayDebitTwice) return;
    const debit = await executed();
    await debited(stage(), debit);
    expect(await stage().mandates.executeDebit(retryOf(debit))).toMatchObject({ kind: 'unknown' });
    expect(await stage().mandates.debitStatus(retryOf(debit))).toEqual(NOT_FOUND);
  });

  it('given a debit that never arrived, when it is asked about, then it is not found', async () => {
    const debit = await newDebit(stage(), mandate);
    expect(await stage().mandates.debitStatus(debit)).toEqual(NOT_FOUND);
  });
}

/** The notice, without which nothing is debited from UPI Autopay. */
export function noticeWalk(stage: Stage): void {
  let mandate: ProviderMandate;
  beforeAll(async () => {
    ({ mandate } = await authorised(stage()));
  });

  it('given a notice, when it is sent again, then it is the same one, and its proof has all five facts (DEB-8)', async () => {
    const debit = await newDebit(stage(), mandate);
    const first = await stage().mandates.notifyDebit(debit);
    if (first.kind !== 'yes') throw new Error(first.kind);
    const { proof, notice_reference, execute_at } = first.value;
    const facts = [notice_reference, '100150', debit.merchant, debit.mandate_ref, debit.reason];
    for (const fact of facts) expect(proof).toContain(fact);
    expect(Math.abs(execute_at.getTime() - debit.execute_at.getTime())).toBeLessThan(1000);
    expect(await stage().mandates.notifyDebit(debit)).toEqual(first);
  });

  it('given a notice that is a minute less than a day old, when the debit is executed, then the answer is a no', async () => {
    const debit = await newDebit(stage(), mandate);
    const notice = await stage().mandates.notifyDebit(debit);
    const notice_reference = notice.kind === 'yes' ? notice.value.notice_reference : null;
    await stage().pass('PT23H59M');
    expect(await stage().mandates.executeDebit({ ...debit, notice_reference })).toMatchObject({ kind: 'no' });
    await stage().pass('PT1M');
    const later = retryOf(debit, { notice_reference, execute_at: await stage().now() });
    expect(await stage().mandates.executeDebit(later)).toEqual(YES);
  });

  it('given a notice that was withdrawn, when it is withdrawn again, then the answer is yes, and a later debit on it is a no', async () => {
    const debit = await noticed(stage(), mandate);
    expect(await stage().mandates.withdrawNotice(debit)).toEqual(YES);
    expect(await stage().mandates.withdrawNotice(debit)).toEqual(YES);
    if (stage().voids) expect(await stage().mandates.executeDebit(debit)).toMatchObject({ kind: 'no' });
  });

  it('given a debit that was started, when its notice is withdrawn, then the answer is a no', async () => {
    const debit = await noticed(stage(), mandate);
    expect(await stage().mandates.executeDebit(debit)).toEqual(YES);
    expect(await stage().mandates.withdrawNotice(debit)).toMatchObject({
      kind: 'no',
      failure_code: 'already_executed',
    });
  });
}

/** What NPCI and the bank do not allow. */
export function debitRefusals(stage: Stage): void {
  it('given more than the limit, when the notice is sent, then the answer is a no: mandate_limit_exceeded', async () => {
    const { mandate } = await authorised(stage());
    const debit = await newDebit(stage(), mandate, { amount: Decimal.parse('5000.01') });
    expect(await stage().mandates.notifyDebit(debit)).toMatchObject({
      kind: 'no',
      failure_code: 'mandate_limit_exceeded',
    });
  });

  it.each(['PAUSED', 'CANCELLED'] as const)(
    'given a mandate that is %s after the notice, when it is debited, then that is a no: mandate_cancelled',
    async (what) => {
      const { mandate, registration } = await authorised(stage());
      const debit = await noticed(stage(), mandate);
      await stage().act(registration.mandate_id, what);
      const refused = { kind: 'no', failure_code: 'mandate_cancelled' };
      expect(await stage().mandates.executeDebit(debit)).toMatchObject(refused);
      expect(await stage().mandates.executeDebit(debit)).toMatchObject(refused);
      expect(await stage().mandates.notifyDebit(await newDebit(stage(), mandate))).toMatchObject(refused);
    },
  );
}

/** Calls that go wrong. */
export function debitDisturbances(stage: Stage): void {
  let mandate: ProviderMandate;
  beforeAll(async () => {
    ({ mandate } = await authorised(stage()));
  });

  it.each(['lost', 'late'] as const)(
    'given a %s notice, when it is sent again, then the investor is notified once',
    async (how) => {
      const debit = await newDebit(stage(), mandate);
      await stage().disturb('notify', how);
      const first = await stage().mandates.notifyDebit(debit);
      expect(first).toMatchObject(NO_ANSWER);
      const again = await stage().mandates.notifyDebit(debit);
      expect(again).toMatchObject({ kind: 'yes' });
      expect(await stage().mandates.notifyDebit(debit)).toEqual(again);
    },
  );

  it.each(['lost', 'late'] as const)(
    'given a %s execution, when it is sent again, then the money comes once',
    async (how) => {
      const debit = await noticed(stage(), mandate);
      await stage().disturb('execute', how);
      const first = await stage().mandates.executeDebit(debit);
      expect(first).toMatchObject(NO_ANSWER);
      expect(await stage().mandates.executeDebit(debit)).toEqual(YES);
      expect(await debited(stage(), debit)).toMatchObject({ value: { status: 'captured' } });
      expect(await stage().mandates.executeDebit(debit)).toEqual(YES);
      const facts = await Promise.all(
        (await callbacksOf(stage(), debit.payment_reference)).map(
          async (callback) => (await stage().read(callback)).fact,
        ),
      );
      expect(facts.filter((fact) => fact?.about === 'debit')).toHaveLength(1);
    },
  );

  it.each(SAYING_NOTHING)(
    'given %s, when a debit is asked about, then it is unknown: %s',
    async (how, why) => {
      const debit = await noticed(stage(), mandate);
      await stage().mandates.executeDebit(debit);
      await stage().disturb('debit_status', how);
      expect(await stage().mandates.debitStatus(debit)).toMatchObject({ kind: 'unknown', why });
    },
  );
}

/** Callbacks about debits: signed, by the payment's reference and the attempt's. */
export function debitCallbacks(stage: Stage): void {
  let mandate: ProviderMandate;
  beforeAll(async () => {
    ({ mandate } = await authorised(stage()));
  });

  it.each([
    ['1001.5', { status: 'captured', amount: Decimal.parse('1001.5') }],
    ['1003.5', { status: 'failed', failure_code: 'insufficient_funds' }],
  ] as const)(
    'given a result of ₹%s, when it is reported, then a signed callback contains payment and attempt',
    async (rupees, payment) => {
      const debit = await noticed(stage(), mandate, { amount: Decimal.parse(rupees) });
      const before = (await stage().callbacks(debit.payment_reference)).length;
      await stage().mandates.executeDebit(debit);
      await debited(stage(), debit);
      const callback = (await callbacksOf(stage(), debit.payment_reference, before + 1)).at(-1);
      if (!callback) throw new Error('none');
      const { reference, payment_reference } = debit;
      // Where an attempt may exist twice, the failure of one does not decide the other: the status is requested.
      const isQuestion = payment.status === 'failed' && stage().mandates.mayDebitTwice;
      expect(await stage().read(callback)).toMatchObject({
        reference: payment_reference,
        fact: isQuestion ? null : { about: 'debit', attempt_reference: reference, payment },
      });
      await expect(stage().read({ ...callback, raw: `${callback.raw} ` })).rejects.toThrow(BadSignature);
      await expect(stage().read({ ...callback, headers: {} })).rejects.toThrow(BadSignature);
    },
  );

  it('given a duplicate callback, when both are read, then they are the same event', async () => {
    const debit = await noticed(stage(), mandate);
    const before = (await stage().callbacks(debit.payment_reference)).length;
    await stage().disturbCallback('payments', 'duplicate');
    await stage().mandates.executeDebit(debit);
    const all = (await callbacksOf(stage(), debit.payment_reference, before + 2)).slice(before);
    const events = await Promise.all(all.map((callback) => stage().read(callback)));
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(1);
  });

  it('given an unknown word, when it is read, then it only identifies the payment', async () => {
    const debit = await noticed(stage(), mandate);
    const before = (await stage().callbacks(debit.payment_reference)).length;
    await stage().disturbCallback('payments', 'nonsense');
    await stage().mandates.executeDebit(debit);
    const callback = (await callbacksOf(stage(), debit.payment_reference, before + 1)).at(-1);
    expect(callback && (await stage().read(callback))).toMatchObject({
      reference: debit.payment_reference,
      fact: null,
    });
  });
}
