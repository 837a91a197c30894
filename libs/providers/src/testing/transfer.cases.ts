import { Decimal } from '@fundrail/contracts';
import { NOT_FOUND } from '@fundrail/testing';
import type { Transfer } from '../ports.ts';
import type { ProviderPayment } from '../provider-payment.ts';
import { callbacksOf, drawNumber, newOrder, type ConformanceStage } from './conformance-stage.ts';
import { eventually } from './eventually.ts';
import { issued, paid } from './played-payments.ts';

type Stage = () => ConformanceStage;

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
    const callbacks = await callbacksOf(stage(), transfer.reference);
    expect(callbacks).toHaveLength(1);
  });

  it('given no money or too little, when it shall be transferred, then that is a no', async () => {
    expect(await stage().transfers.transfer(transferOf(await issued(stage())))).toMatchObject({ kind: 'no' });
    expect(await stage().transfers.transfer(transferOf(await paid(stage()), '5000.01'))).toMatchObject({
      kind: 'no',
    });
  });

  it('given a transfer that never arrived, when it is asked about, then it is not found', async () => {
    expect(await stage().transfers.transferStatus('T0')).toEqual(NOT_FOUND);
  });
}
