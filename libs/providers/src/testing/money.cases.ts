import { Decimal } from '@fundrail/contracts';
import type { ProviderPayment, Transfer } from '../ports.ts';
import { drawNumber, newOrder } from './conformance-stage.ts';
import type { ConformanceStage } from './conformance-stage.ts';
import { eventually } from './eventually.ts';
import { issued, paid } from './played-payments.ts';

type Stage = () => ConformanceStage;

/** A refund's: at least ten characters, as Razorpay's idempotency keys have to be. */
const drawReference = () => `R${String(drawNumber()).padStart(15, '0')}`;

/** Transfers of money that came in. */
export function transferWalk(stage: Stage): void {
  const transferOf = (payment: ProviderPayment, rupees = '5000'): Transfer => {
    const { reference: order, old_id } = newOrder();
    const shares = [{ order, old_id, amount: Decimal.parse(rupees) }];
    return { reference: `T${drawNumber()}`, payment_reference: payment.reference, shares };
  };

  it('given the same transfer twice, when it is sent, then it settles once', async () => {
    const transfer = transferOf(await paid(stage()));
    await stage().disturb('transfer', 'late');
    expect(await stage().transfers.transfer(transfer)).toMatchObject({ kind: 'unknown' });
    expect(await stage().transfers.transfer(transfer)).toMatchObject({ kind: 'yes' });
    const settled = await eventually(
      () => stage().transfers.transferStatus(transfer.reference),
      (answer) => answer.kind === 'yes' && answer.value.status !== 'waiting',
    );
    expect(settled).toEqual({ kind: 'yes', value: { status: 'settled' } });
    const told = await eventually(
      () => stage().callbacks(transfer.reference),
      (all) => all.length > 0,
    );
    expect(told).toHaveLength(1);
  });

  it('given no money or too little, when it shall be transferred, then that is a no', async () => {
    expect(await stage().transfers.transfer(transferOf(await issued(stage())))).toMatchObject({ kind: 'no' });
    expect(await stage().transfers.transfer(transferOf(await paid(stage()), '5000.01'))).toMatchObject({
      kind: 'no',
    });
  });

  it('given a transfer that never arrived, when it is asked about, then it is not found', async () => {
    expect(await stage().transfers.transferStatus('T0')).toEqual({ kind: 'not_found' });
  });
}

/** Refunds of money that came in. */
export function refundWalk(stage: Stage): void {
  it.each(['lost', 'late'] as const)(
    'given a %s refund, when it is sent again, then the money goes back once',
    async (how) => {
      const { reference: payment_reference } = await paid(stage());
      const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('5000') };
      await stage().disturb('refund', how);
      expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'unknown', why: 'no_answer' });
      expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'yes' });
      const told = await eventually(
        () => stage().callbacks(refund.reference),
        (all) => all.length > 0,
      );
      expect(told).toHaveLength(1);
      const [callback] = told;
      expect(callback && (await stage().payments.readCallback(callback.headers, callback.raw))).toMatchObject(
        {
          reference: refund.reference,
          fact: { about: 'refund', refund: { status: 'successful' } },
        },
      );
    },
  );

  it.each([
    ['status_500', 'no_answer'],
    ['nonsense', 'not_understood'],
  ] as const)('given %s, when a refund is asked about, then it is unknown: %s', async (how, why) => {
    const { reference: payment_reference } = await paid(stage());
    const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('10') };
    await stage().payments.refund(refund);
    await stage().disturb('refund_status', how);
    expect(await stage().payments.refundStatus(refund)).toMatchObject({ kind: 'unknown', why });
    expect(await stage().payments.refundStatus(refund)).toMatchObject({ kind: 'yes' });
  });

  it('given no money, when it shall go back, then that is a no', async () => {
    const { reference: payment_reference } = await issued(stage());
    const refund = { reference: drawReference(), payment_reference, amount: Decimal.parse('10') };
    expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'no' });
  });

  it('given the same refund twice, when it is sent, then the money goes back once', async () => {
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
    expect(await stage().payments.refundStatus(refund)).toEqual({ kind: 'not_found' });
  });
}
