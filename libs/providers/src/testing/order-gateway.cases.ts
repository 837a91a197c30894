import { Decimal } from '@fundrail/contracts';
import { NOT_FOUND, YES } from '@fundrail/testing';
import { BadSignature } from '../answer.ts';
import type { GatewayOrder, GatewayOrderStatus } from '../gateway-order.ts';
import {
  callbacksOf,
  newOrder,
  newPayment,
  NO_ANSWER,
  SAYING_NOTHING,
  type ConformanceStage,
} from './conformance-stage.ts';
import { eventually } from './eventually.ts';

type Stage = () => ConformanceStage;

async function reviewed(stage: ConformanceStage, parts: Partial<GatewayOrder> = {}): Promise<GatewayOrder> {
  const order = newOrder(parts);
  expect(await stage.orders.requestReview(order)).toEqual(YES);
  await statusWhen(stage, order.reference, (status) => status.review.result !== 'waiting');
  return order;
}

async function statusWhen(
  stage: ConformanceStage,
  reference: string,
  holds: (status: GatewayOrderStatus) => boolean,
): Promise<GatewayOrderStatus> {
  const answer = await eventually(
    () => stage.orders.status(reference),
    (status) => status.kind === 'yes' && holds(status.value),
  );
  if (answer.kind !== 'yes') throw new Error(answer.kind);
  return answer.value;
}

/** Pays for a submitted order and transfers the money to the gateway. */
async function settle(stage: ConformanceStage, order: GatewayOrder): Promise<void> {
  const amount = order.amount ?? Decimal.parse('0');
  const payment = newPayment({ amount });
  await stage.payments.issueUpiUri(payment);
  await stage.pay(payment.payment_id);
  await stage.transfers.transfer({
    reference: `T${payment.reference.slice(1)}`,
    payment_reference: payment.reference,
    shares: [{ order: order.reference, old_id: order.old_id, amount }],
  });
}

/** An order from review to the registrar's answer. */
export function orderWalk(stage: Stage): void {
  it.each(['5000', '1000.50', '0.05'])(
    'given an order for ₹%s, when it is paid, then the registrar reports its numbers',
    async (rupees) => {
      const order = await reviewed(stage(), { amount: Decimal.parse(rupees) });
      expect(await stage().orders.submit(order)).toMatchObject({ kind: 'yes' });
      await settle(stage(), order);
      const { outcome } = await statusWhen(
        stage(),
        order.reference,
        (status) => status.outcome.result !== 'waiting',
      );
      if (outcome.result !== 'successful') throw new Error(outcome.result);
      expect(outcome.details.amount.equals(Decimal.parse(rupees))).toBe(true);
      expect(outcome.details).toMatchObject({
        traded_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      });
    },
  );

  it('given no money, when the registrar is asked, then the outcome waits', async () => {
    const order = await reviewed(stage());
    await stage().orders.submit(order);
    expect(await stage().orders.status(order.reference)).toMatchObject({
      value: { outcome: { result: 'waiting' } },
    });
  });

  it('given an order that fails its review, when it is submitted, then that is a no', async () => {
    const order = await reviewed(stage(), { amount: Decimal.parse('5002') });
    const answer = await stage().orders.status(order.reference);
    expect(answer).toMatchObject({
      value: { review: { result: 'failed', failure_code: expect.any(String) as string } },
    });
    expect(await stage().orders.submit(order)).toMatchObject({ kind: 'no' });
  });

  it('given an order that never arrived, when it is asked about, then it is not found', async () => {
    expect(await stage().orders.status(newOrder().reference)).toEqual(NOT_FOUND);
  });
}

/** What a gateway reports only with a capability of its own. */
export function orderReports(stage: Stage): void {
  it('given a scheme with a category, when its review has passed, then it is reported, or none is at all', async () => {
    const { orders, liquidScheme } = stage();
    const { reference } = await reviewed(stage(), liquidScheme === undefined ? {} : { scheme: liquidScheme });
    const answer = await orders.status(reference);
    if (answer.kind !== 'yes' || answer.value.review.result !== 'passed')
      throw new Error('it has not passed');
    expect(answer.value.review.scheme_category).toBe(liquidScheme === undefined ? undefined : 'liquid');
  });

  it('given a processed redemption, when it is paid out, then time and reference are reported, or none ever is', async () => {
    const { orders, payOut } = stage();
    expect(orders.payouts ?? false).toBe(payOut !== undefined);
    const order = await reviewed(stage(), { kind: 'redemption', folio_number: '91012345678' });
    const { reference } = order;
    expect(await orders.submit(order)).toMatchObject({ kind: 'yes' });
    const isProcessed = ({ outcome }: GatewayOrderStatus) => outcome.result === 'successful';
    expect(await statusWhen(stage(), reference, isProcessed)).not.toHaveProperty('payout');
    if (!payOut) return;
    const utr = await payOut(reference);
    const { payout } = await statusWhen(stage(), reference, (status) => status.payout !== undefined);
    expect(payout).toEqual({ paid_at: expect.any(Date) as Date, reference: utr });
  });
}

/** Calls that go wrong. */
export function orderDisturbances(stage: Stage): void {
  it('given a call lost before its effect, when it is sent again, then it has the effect', async () => {
    const order = newOrder();
    await stage().disturb('review', 'lost');
    expect(await stage().orders.requestReview(order)).toMatchObject(NO_ANSWER);
    expect(await stage().orders.status(order.reference)).toEqual(NOT_FOUND);
    expect(await stage().orders.requestReview(order)).toEqual(YES);
  });

  it('given a time-out after the effect, when it is sent again, then the effect is the same one (CALL-1)', async () => {
    const order = await reviewed(stage());
    await stage().disturb('submit', 'late');
    expect(await stage().orders.submit(order)).toMatchObject(NO_ANSWER);
    const known = await statusWhen(
      stage(),
      order.reference,
      (status) => status.submission.result === 'accepted',
    );
    const again = await stage().orders.submit(order);
    expect(again).toMatchObject({
      value: { order_reference: Reflect.get(known.submission, 'order_reference') as string },
    });
  });

  it('given a slow answer, when it comes in time, then it counts', async () => {
    await stage().disturb('review', 'slow');
    expect(await stage().orders.requestReview(newOrder())).toEqual(YES);
  });

  it.each(SAYING_NOTHING)(
    'given %s, when a call is answered so, then it is unknown: %s',
    async (how, why) => {
      const order = await reviewed(stage());
      await stage().disturb('order_status', how);
      expect(await stage().orders.status(order.reference)).toMatchObject({ kind: 'unknown', why });
      expect(await stage().orders.status(order.reference)).toMatchObject({ kind: 'yes' });
    },
  );

  it('given the same key twice, when it is submitted, then it has one reference', async () => {
    const order = await reviewed(stage());
    const [one, other] = await Promise.all([stage().orders.submit(order), stage().orders.submit(order)]);
    expect(one).toMatchObject({ kind: 'yes' });
    expect(other).toEqual(one);
  });
}

/** Callbacks about orders. */
export function orderCallbacks(stage: Stage): void {
  const idsOf = async (reference: string) => {
    const all = await stage().callbacks(reference);
    return all.map(({ headers, raw }) => stage().orders.readCallback(headers, raw).event_id);
  };

  it('given a review, when it ends, then a signed callback reports it', async () => {
    const order = await reviewed(stage());
    const [callback] = await callbacksOf(stage(), order.reference);
    if (!callback) throw new Error('none');
    expect(stage().orders.readCallback(callback.headers, callback.raw)).toMatchObject({
      reference: order.reference,
      status: { review: { result: 'passed' } },
    });
    expect(() => stage().orders.readCallback(callback.headers, `${callback.raw} `)).toThrow(BadSignature);
  });

  it('given a duplicate callback, when both are read, then they are the same event', async () => {
    await stage().disturbCallback('orders', 'duplicate');
    const { reference } = await reviewed(stage());
    await eventually(
      () => stage().callbacks(reference),
      (all) => all.length === 2,
    );
    expect(new Set(await idsOf(reference)).size).toBe(1);
  });

  it('given reordered callbacks, when they are read, then each has the status of the time of its creation', async () => {
    await stage().disturbCallback('orders', 'reorder');
    const order = await reviewed(stage());
    await stage().orders.submit(order);
    const all = await eventually(
      () => stage().callbacks(order.reference),
      (some) => some.length === 2,
    );
    const said = all.map(
      ({ headers, raw }) => stage().orders.readCallback(headers, raw).status?.submission.result,
    );
    expect(said).toEqual(['accepted', 'none']);
  });

  it('given a callback with an unknown word, when it is read, then it only identifies the order', async () => {
    await stage().disturbCallback('orders', 'nonsense');
    const { reference } = await reviewed(stage());
    const [callback] = await callbacksOf(stage(), reference);
    expect(callback && stage().orders.readCallback(callback.headers, callback.raw)).toMatchObject({
      reference,
      status: null,
    });
  });
}
