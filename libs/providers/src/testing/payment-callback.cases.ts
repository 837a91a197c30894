import { BadSignature } from '../answer.ts';
import type { ProviderCapture, ProviderPaymentStatus } from '../provider-payment.ts';
import { callbacksOf, type PaymentStage, type StageCallback } from './conformance-stage.ts';
import { issued, paid } from './played-payments.ts';

type Stage = () => PaymentStage;

const readerOf =
  (stage: Stage) =>
  ({ headers, raw }: StageCallback) =>
    stage().payments.readCallback(headers, raw);

/** Callbacks about payments: signed, and equal to the status. */
export function paymentCallbacks(stage: Stage): void {
  const read = readerOf(stage);

  it('given money, when it came in, then a signed callback contains the amount', async () => {
    const { reference, amount } = await paid(stage());
    const [callback] = await callbacksOf(stage(), reference);
    if (!callback) throw new Error('none');
    expect(await read(callback)).toMatchObject({
      reference,
      fact: { about: 'payment', payment: { status: 'captured', amount, currency: 'INR' } },
    });
    await expect(read({ ...callback, raw: `${callback.raw} ` })).rejects.toThrow(BadSignature);
    await expect(read({ ...callback, headers: {} })).rejects.toThrow(BadSignature);
    const forged = { ...callback.headers, [stage().payments.signatureHeader]: '00' };
    await expect(read({ ...callback, headers: forged })).rejects.toThrow(BadSignature);
  });

  it('given a callback and the status, when money came in, then both have the same provider reference', async () => {
    const { reference } = await paid(stage());
    const [callback] = await callbacksOf(stage(), reference);
    const status = await stage().payments.paymentStatus(reference);
    expect(callback && (await read(callback)).fact).toEqual({
      about: 'payment',
      payment: status.kind === 'yes' && status.value,
    });
  });

  it('given a paid payment, when it is paid again, then callbacks and status name each money by its own reference', async () => {
    const { reference, payment_id, amount } = await paid(stage());
    await callbacksOf(stage(), reference);
    await stage().payAgain(payment_id);
    const events = await Promise.all((await callbacksOf(stage(), reference, 2)).map(read));
    const captures = events.flatMap(({ fact }) =>
      fact?.about === 'payment' ? capturesIn(fact.payment) : [],
    );
    const amounts = new Map(captures.map((capture) => [capture.provider_reference, capture.amount]));
    expect([...amounts.values()]).toEqual([amount, amount]);
    // The callback of either may be lost (CAP-4).
    const status = await stage().payments.paymentStatus(reference);
    const there = status.kind === 'yes' ? capturesIn(status.value) : [];
    expect(there.map(({ provider_reference }) => provider_reference).sort()).toEqual(
      [...amounts.keys()].sort(),
    );
  });

  it("given another account than the payer's, when it pays, then that is reported, or no money was received: tpv_failed", async () => {
    const { reference, payment_id } = await issued(stage());
    await stage().payAsThirdParty(payment_id);
    const status = await stage().payments.paymentStatus(reference);
    if (status.kind !== 'yes') throw new Error(status.kind);
    const { value } = status;
    if (value.status === 'captured') expect(value).toMatchObject({ third_party: true });
    else expect(value).toMatchObject({ status: 'failed', failure_code: 'tpv_failed' });
    const [callback] = await callbacksOf(stage(), reference);
    const fact = callback && (await read(callback)).fact;
    if (fact) expect(fact).toEqual({ about: 'payment', payment: value });
  });

  it('given a payer who declines, when it is reported, then a signed callback has the reason or no fact', async () => {
    const { reference, payment_id } = await issued(stage());
    await stage().decline(payment_id, 'insufficient_funds');
    const [callback] = await callbacksOf(stage(), reference);
    const failed = { status: 'failed', failure_code: 'insufficient_funds' };
    const event = callback && (await read(callback));
    expect(event?.reference).toBe(reference);
    // If several attempts are possible, the failure of one is not yet the payment's.
    if (event?.fact) expect(event.fact).toMatchObject({ about: 'payment', payment: failed });
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ value: failed });
  });
}

/** Callbacks that are duplicated, reordered, lost, or not understood. */
export function callbackDisturbances(stage: Stage): void {
  const read = readerOf(stage);

  it('given a duplicate callback, when both are read, then they are the same event', async () => {
    await stage().disturbCallback('payments', 'duplicate');
    const { reference } = await paid(stage());
    const events = await Promise.all((await callbacksOf(stage(), reference, 2)).map(read));
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(1);
  });

  it('given reordered callbacks, when they are read, then each has the status of the time of its creation', async () => {
    await stage().disturbCallback('payments', 'reorder');
    const { reference, payment_id } = await issued(stage());
    await stage().decline(payment_id, 'insufficient_funds');
    await stage().pay(payment_id);
    const events = await Promise.all((await callbacksOf(stage(), reference, 2)).map(read));
    const statuses = events.map(({ fact }) => (fact?.about === 'payment' ? fact.payment.status : 'ask'));
    expect(statuses[0]).toBe('captured');
    expect(['failed', 'ask']).toContain(statuses[1]);
  });

  it('given a callback with an unknown word, when it is read, then it only identifies the payment', async () => {
    await stage().disturbCallback('payments', 'nonsense');
    const { reference } = await paid(stage());
    const [callback] = await callbacksOf(stage(), reference);
    expect(callback && (await read(callback))).toMatchObject({ reference, fact: null });
  });

  it('given a lost callback, when the status is asked, then nothing is lost', async () => {
    await stage().disturbCallback('payments', 'lost');
    const { reference } = await paid(stage());
    expect(await stage().payments.paymentStatus(reference)).toMatchObject({ value: { status: 'captured' } });
  });
}

function capturesIn(payment: ProviderPaymentStatus): readonly ProviderCapture[] {
  return payment.status === 'captured' ? [payment, ...(payment.others ?? [])] : [];
}
