import { Decimal } from '@fundrail/contracts';
import { NOT_FOUND, YES } from '@fundrail/testing';
import type { Answer } from '../answer.ts';
import { newPayment, NO_ANSWER, type PaymentStage } from './conformance-stage.ts';
import { issued, paid } from './played-payments.ts';

type Stage = () => PaymentStage;

/** A payment from its URI to its end. */
export function paymentWalk(stage: Stage): void {
  it.each([
    ['5000', '5000.00'],
    ['1001.5', '1001.50'],
    // Razorpay's minimum is one rupee.
    ['1.01', '1.01'],
  ])(
    'given ₹%s, when the URI is issued and paid, then it requests %s and that is received',
    async (rupees, am) => {
      const payment = newPayment({ amount: Decimal.parse(rupees) });
      const answer = await stage().payments.issueUpiUri(payment);
      if (answer.kind !== 'yes') throw new Error(answer.kind);
      expect(asksFor(stage(), answer.value.uri)).toEqual({
        ...{ am, cu: 'INR', payee: payment.payee_name },
        tr: stage().payments.drawsTr ? 'drawn' : payment.reference,
      });
      await stage().pay(payment.payment_id);
      const status = await stage().payments.paymentStatus(payment.reference);
      expect(status).toMatchObject({
        value: { status: 'captured', amount: payment.amount, currency: 'INR' },
      });
    },
  );

  it('given a payment that waits, when it is asked about, then it waits', async () => {
    const { reference } = await issued(stage());
    expect(await stage().payments.paymentStatus(reference)).toEqual({
      kind: 'yes',
      value: { status: 'waiting' },
    });
  });

  it('given a payer who declines, when it is asked about, then it failed with our code', async () => {
    const payment = await issued(stage());
    await stage().decline(payment.payment_id, 'insufficient_funds');
    const status = await stage().payments.paymentStatus(payment.reference);
    expect(status).toMatchObject({ value: { status: 'failed', failure_code: 'insufficient_funds' } });
  });

  it('given a payment that waits, when it is cancelled twice, then it is void both times', async () => {
    const { reference } = await issued(stage());
    expect(await stage().payments.cancel(reference)).toEqual(YES);
    expect(await stage().payments.cancel(reference)).toEqual(YES);
    const status = stage().voids ? 'failed' : 'waiting';
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ value: { status } });
  });

  it('given a paid payment, when it is cancelled, then that is a no', async () => {
    const { reference } = await paid(stage());
    expect(await stage().payments.cancel(reference)).toMatchObject({ kind: 'no' });
  });

  it('given a payment that never arrived, when it is asked about, then it is not found', async () => {
    const { reference } = newPayment();
    expect(await stage().payments.paymentStatus(reference)).toEqual(NOT_FOUND);
    expect(await stage().payments.cancel(reference)).toEqual(NOT_FOUND);
  });
}

/** A permanent refusal is recognised for each way to create a payment, and the client gets its reason (ERR-8). */
export function paymentRefusals(stage: Stage): void {
  it('given a payment that the provider refuses, when it is requested again, then each answer is a no with a reason', async () => {
    const payment = await stage().refusedPayment();
    const { payments } = stage();
    const answers: Answer<unknown>[] = [
      await payments.issueUpiUri(payment),
      await payments.issueUpiUri(payment),
      ...(payments.checkout ? [await payments.checkout.createOrder(payment)] : []),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ kind: 'no' });
      expect(answer.kind === 'no' && answer.message).toMatch(/\S/);
    }
  });

  it('given a payer without an e-mail address and number, then the URI is refused exactly where both are needed', async () => {
    const { payments } = stage();
    const unknown = newPayment({ contact: { email: null, mobile: null } });
    expect((await payments.issueUpiUri(unknown)).kind).toBe(payments.needsContact ? 'no' : 'yes');
    expect((await payments.issueUpiUri(newPayment())).kind).toBe('yes');
  });
}

/** The amount with two decimals in any format of the provider, the currency, the payee's name, and whether the reference is ours. */
function asksFor({ payments }: PaymentStage, uri: string) {
  const { searchParams } = new URL(uri);
  const [am = '', tr = '', cu, payee] = ['am', 'tr', 'cu', 'pn'].map((name) => searchParams.get(name) ?? '');
  if (!payments.drawsTr) return { am, tr, cu, payee };
  const drawn = /^[A-Za-z0-9]{1,35}$/.test(tr) ? 'drawn' : tr;
  return { am: Decimal.parse(am).toFixed2(), tr: drawn, cu, payee };
}

/** Calls that go wrong. */
export function paymentDisturbances(stage: Stage): void {
  it.each(['lost', 'late'] as const)(
    'given a %s call, when it is sent again, then the payment has one URI and is paid once',
    async (how) => {
      const payment = newPayment();
      await stage().disturb('payment', how);
      expect(await stage().payments.issueUpiUri(payment)).toMatchObject(NO_ANSWER);
      const again = await stage().payments.issueUpiUri(payment);
      expect(again).toMatchObject({ kind: 'yes' });
      // A provider that chooses the reference starts another attempt; only one can be paid.
      if (!stage().payments.drawsTr) expect(await stage().payments.issueUpiUri(payment)).toEqual(again);
      await stage().pay(payment.payment_id);
      expect(await stage().payments.paymentStatus(payment.reference)).toMatchObject({
        value: { status: 'captured', amount: payment.amount },
      });
      await expect(stage().pay(payment.payment_id)).rejects.toThrow();
    },
  );

  it('given a slow answer, when it comes in time, then it counts', async () => {
    await stage().disturb('payment', 'slow');
    await issued(stage());
  });

  it('given an error of theirs, when it is asked about, then it is unknown and the next answer counts', async () => {
    const { reference } = await issued(stage());
    await stage().disturb('payment_status', 'status_500');
    expect(await stage().payments.paymentStatus(reference)).toMatchObject(NO_ANSWER);
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ kind: 'yes' });
  });

  it('given an answer that cannot be understood, when the status is requested, then it is unknown', async () => {
    const { reference } = await issued(stage());
    await stage().disturb('payment_status', 'nonsense');
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
  });
}
