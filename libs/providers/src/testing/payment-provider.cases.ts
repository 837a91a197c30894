import { Decimal } from '@fundrail/contracts';
import type { ProviderPayment, Transfer } from '../ports.ts';
import { drawNumber, newOrder, newPayment } from './conformance-stage.ts';
import type { ConformanceStage } from './conformance-stage.ts';
import { eventually } from './eventually.ts';

type Stage = () => ConformanceStage;

async function issued(
  stage: ConformanceStage,
  parts: Partial<ProviderPayment> = {},
): Promise<ProviderPayment> {
  const payment = newPayment(parts);
  expect(await stage.payments.issueUpiUri(payment)).toMatchObject({ kind: 'yes' });
  return payment;
}

async function paid(stage: ConformanceStage, parts: Partial<ProviderPayment> = {}): Promise<ProviderPayment> {
  const payment = await issued(stage, parts);
  await stage.pay(payment.payment_id);
  return payment;
}

/** A payment from its URI to its end. */
export function paymentWalk(stage: Stage): void {
  it.each([
    ['5000', '5000.00'],
    ['1001.5', '1001.50'],
    ['0.01', '0.01'],
  ])(
    'given ₹%s, when the URI is issued and paid, then it asks for %s and that came in',
    async (rupees, am) => {
      const payment = newPayment({ amount: Decimal.parse(rupees) });
      const answer = await stage().payments.issueUpiUri(payment);
      if (answer.kind !== 'yes') throw new Error(answer.kind);
      const { searchParams } = new URL(answer.value.uri);
      expect([searchParams.get('am'), searchParams.get('tr'), searchParams.get('cu')]).toEqual([
        am,
        payment.reference,
        'INR',
      ]);
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

  it('given a payment that waits, when it is cancelled, then it is void and asking again says so', async () => {
    const { reference } = await issued(stage());
    expect(await stage().payments.cancel(reference)).toEqual({ kind: 'yes', value: null });
    expect(await stage().payments.cancel(reference)).toEqual({ kind: 'yes', value: null });
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ value: { status: 'failed' } });
  });

  it('given a paid payment, when it is cancelled, then that is a no', async () => {
    const { reference } = await paid(stage());
    expect(await stage().payments.cancel(reference)).toMatchObject({ kind: 'no' });
  });

  it('given a payment that never arrived, when it is asked about, then it is not found', async () => {
    const { reference } = newPayment();
    expect(await stage().payments.paymentStatus(reference)).toEqual({ kind: 'not_found' });
    expect(await stage().payments.cancel(reference)).toEqual({ kind: 'not_found' });
  });
}

/** Calls that go wrong, and callbacks. */
export function paymentDisturbances(stage: Stage): void {
  it.each(['lost', 'late'] as const)(
    'given a %s call, when it is sent again, then the payment has one URI',
    async (how) => {
      const payment = newPayment();
      await stage().disturb('payment', how);
      expect(await stage().payments.issueUpiUri(payment)).toMatchObject({
        kind: 'unknown',
        why: 'no_answer',
      });
      const again = await stage().payments.issueUpiUri(payment);
      expect(again).toMatchObject({ kind: 'yes' });
      expect(await stage().payments.issueUpiUri(payment)).toEqual(again);
    },
  );

  it('given an answer that nobody understands, when it is asked about, then it is unknown', async () => {
    const { reference } = await issued(stage());
    await stage().disturb('payment_status', 'nonsense');
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({
      kind: 'unknown',
      why: 'not_understood',
    });
  });

  it('given money, when it came in, then a signed callback tells the amount', async () => {
    const { reference, amount } = await paid(stage());
    const [callback] = await eventually(
      () => stage().callbacks(reference),
      (all) => all.length > 0,
    );
    const read = callback && (await stage().payments.readCallback(callback.headers, callback.raw));
    expect(read).toMatchObject({
      reference,
      fact: { about: 'payment', payment: { status: 'captured', amount } },
    });
  });

  it('given a lost callback, when the status is asked, then nothing is lost', async () => {
    await stage().disturbCallback('payments', 'lost');
    const { reference } = await paid(stage());
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ value: { status: 'captured' } });
  });
}

/** Transfers and refunds of money that came in. */
export function moneyWalk(stage: Stage): void {
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

  it('given the same refund twice, when it is sent, then the money goes back once', async () => {
    const payment = await paid(stage());
    const refund = {
      reference: `R${drawNumber()}`,
      payment_reference: payment.reference,
      amount: Decimal.parse('4999.99'),
    };
    expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'yes' });
    expect(await stage().payments.refund(refund)).toMatchObject({ kind: 'yes' });
    await eventually(
      () => stage().payments.refundStatus(refund),
      (answer) => answer.kind === 'yes' && answer.value.status === 'successful',
    );
    const rest = { ...refund, reference: `R${drawNumber()}` };
    expect(await stage().payments.refund({ ...rest, amount: Decimal.parse('0.02') })).toMatchObject({
      kind: 'no',
    });
    expect(await stage().payments.refund({ ...rest, amount: Decimal.parse('0.01') })).toMatchObject({
      kind: 'yes',
    });
  });

  it('given what never arrived, when it is asked about, then it is not found', async () => {
    expect(await stage().transfers.transferStatus('T0')).toEqual({ kind: 'not_found' });
    const refund = { reference: 'R0', payment_reference: 'P0', amount: Decimal.parse('1') };
    expect(await stage().payments.refundStatus(refund)).toEqual({ kind: 'not_found' });
  });
}
