import { YES } from '@fundrail/testing';
import { callbacksOf, newPayment, NO_ANSWER, type PaymentStage } from './conformance-stage.ts';
import { eventually } from './eventually.ts';

type Stage = () => PaymentStage;

/** A collect request, from its sending to the payer's answer (FLOW-2). */
export function collectWalk(stage: Stage): void {
  const asked = async (vpa: string) => {
    const payment = newPayment();
    expect(await stage().payments.sendCollect(payment, vpa)).toEqual(YES);
    return payment;
  };
  const ended = (reference: string) =>
    eventually(
      () => stage().payments.paymentStatus(reference),
      (answer) => answer.kind === 'yes' && answer.value.status !== 'waiting',
    );

  it('given a payer who pays, when the request is sent, then the money comes in', async () => {
    const { reference, amount } = await asked(stage().payers.pays);
    expect(await ended(reference)).toMatchObject({ value: { status: 'captured', amount, currency: 'INR' } });
  });

  it('given a payer who declines, when the request is sent, then it failed', async () => {
    const { reference } = await asked(stage().payers.declines);
    expect(await ended(reference)).toMatchObject({ value: { status: 'failed' } });
  });

  it('given a payer who does nothing, when the request is sent, then it waits', async () => {
    const { reference } = await asked(stage().payers.waits);
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ value: { status: 'waiting' } });
  });

  it('given a VPA that does not exist, when a collect request is sent, then the answer is a no: invalid_upi_id', async () => {
    const answer = await stage().payments.sendCollect(newPayment(), stage().payers.unknown);
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'invalid_upi_id' });
  });

  it.each(['lost', 'late'] as const)(
    'given a %s request, when it is sent again, then the payer pays once',
    async (how) => {
      const payment = newPayment();
      await stage().disturb('collect', how);
      expect(await stage().payments.sendCollect(payment, stage().payers.pays)).toMatchObject(NO_ANSWER);
      expect(await stage().payments.sendCollect(payment, stage().payers.pays)).toEqual(YES);
      expect(await ended(payment.reference)).toMatchObject({ value: { status: 'captured' } });
      const callbacks = await callbacksOf(stage(), payment.reference);
      expect(callbacks).toHaveLength(1);
    },
  );
}
