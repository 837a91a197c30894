import { Decimal } from '@fundrail/contracts';
import { NOT_FOUND } from '@fundrail/testing';
import {
  callbacksOf,
  drawNumber,
  NO_ANSWER,
  SAYING_NOTHING,
  type PaymentStage,
} from './conformance-stage.ts';
import { eventually } from './eventually.ts';
import { issued, paid } from './played-payments.ts';

type Stage = () => PaymentStage;

/** A refund's reference: at least ten characters, as Razorpay requires of idempotency keys. */
const drawReference = () => `R${String(drawNumber()).padStart(15, '0')}`;

/** Refunds of money that came in. */
export function refundWalk(stage: Stage): void {
  it('given no money, when it is refunded, then the answer is a no', async () => {
    const { reference: payment_reference } = await issued(stage());
    const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('10') };
    expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'no' });
  });

  it('given the same refund twice at once, when both are answered, then the money is refunded once', async () => {
    const { reference: payment_reference } = await paid(stage());
    const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('2500') };
    const both = await Promise.all([stage().payments.refund(refund), stage().payments.refund(refund)]);
    expect(both.map(({ kind }) => kind)).not.toContain('no');
    const rest = { ...refund, reference: drawReference() };
    expect(await stage().payments.refund(rest)).toMatchObject({ kind: 'yes' });
  });

  it('given the same refund twice, when it is sent, then the money is refunded once', async () => {
    const payment = await paid(stage());
    const refund = {
      reference: drawReference(),
      payment_reference: payment.reference,
      amount: Decimal.parse('4999.99'),
    };
    expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'yes' });
    expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'yes' });
    await eventually(
      () => stage().payments.refundStatus(refund),
      (answer) => answer.kind === 'yes' && answer.value.status === 'successful',
    );
    const rest = { ...refund, reference: drawReference() };
    expect(await stage().payments.refund({ ...rest, amount: Decimal.parse('0.02') })).toMatchObject({
      kind: 'no',
    });
    expect(await stage().payments.refund({ ...rest, amount: Decimal.parse('0.01') })).toMatchObject({
      kind: 'yes',
    });
  });

  it('given a refund that never arrived, when it is asked about, then it is not found', async () => {
    const refund = { reference: 'R0', payment_reference: 'P0', amount: Decimal.parse('1') };
    expect(await stage().payments.refundStatus(refund)).toEqual(NOT_FOUND);
  });
}

/** Refunds whose calls fail. */
export function refundDisturbances(stage: Stage): void {
  it.each(['lost', 'late'] as const)(
    'given a %s refund, when it is sent again, then the money is refunded once',
    async (how) => {
      const { reference: payment_reference } = await paid(stage());
      const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('5000') };
      await stage().disturb('refund', how);
      expect(await stage().payments.refund(refund)).toMatchObject(NO_ANSWER);
      expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'yes' });
      const callbacks = await callbacksOf(stage(), refund.reference);
      expect(callbacks).toHaveLength(1);
      const [callback] = callbacks;
      expect(callback && (await stage().payments.readCallback(callback.headers, callback.raw))).toMatchObject(
        {
          reference: refund.reference,
          fact: { about: 'refund', refund: { status: 'successful' } },
        },
      );
    },
  );

  it.each(SAYING_NOTHING)(
    'given %s, when a refund is asked about, then it is unknown: %s',
    async (how, why) => {
      const { reference: payment_reference } = await paid(stage());
      const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('10') };
      await stage().payments.refund(refund);
      await stage().disturb('refund_status', how);
      expect(await stage().payments.refundStatus(refund)).toMatchObject({ kind: 'unknown', why });
      expect(await stage().payments.refundStatus(refund)).toMatchObject({ kind: 'yes' });
    },
  );
}
