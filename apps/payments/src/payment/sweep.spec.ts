import { aPayment, capturedAs, dueIn, eventsIn, NOW, states } from '../testing/payments.builder.ts';
import { captured } from './capture.ts';
import { sweepOf, unconfirmedShares } from './orders-of-payment.ts';
import type { Payment } from './payment.ts';
import { sweepUnconfirmed } from './transfer.ts';

const paid = (): Payment => captured(aPayment(), capturedAs('c1'), NOW).payment;

const givenUp = (...orders: number[]) => new Set(orders);

describe('the sweep of paid orders that are not confirmed (REF-11)', () => {
  it.each([
    ['2026-12-21T10:00:00+05:30', '2026-12-21T23:00:00+05:30'],
    ['2026-12-21T22:30:00+05:30', '2026-12-21T23:00:00+05:30'],
    ['2026-12-21T22:30:00.001+05:30', '2026-12-22T23:00:00+05:30'],
    ['2026-12-21T23:10:00+05:30', '2026-12-22T23:00:00+05:30'],
    ['2026-12-21T23:45:00+05:30', '2026-12-22T23:00:00+05:30'],
  ])('paid at %s is swept at %s', (at, sweep) => {
    expect(sweepOf(new Date(at))).toEqual(new Date(sweep));
  });

  it('gives back the share of an unconfirmed order, releases the order, and transfers the rest', () => {
    const outcome = sweepUnconfirmed(paid(), givenUp(11), NOW);
    expect(outcome.payment).toMatchObject({
      status: 'SUCCESS',
      refunds: [{ reason: 'order_not_confirmed', amc_order_ids: [11], status: 'CREATED' }],
    });
    expect(outcome.payment.refunded_amount.toString()).toBe('1001.0000');
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.refund', 'payment.free_orders', 'payment.transfer']);
  });

  it('rejects the payment when no order was confirmed', () => {
    const outcome = sweepUnconfirmed(paid(), givenUp(11, 12), NOW);
    expect(outcome.payment.status).toBe('REJECTED');
    expect(eventsIn(outcome)).toEqual(['payment.rejected', 'payment.updated']);
  });

  it.each([
    ['orders that were kept', paid(), givenUp()],
    ['a payment that is past SUCCESS', { ...paid(), status: 'INITIATED' } as const, givenUp(11, 12)],
  ])('leaves %s alone', (_, payment, given) => {
    expect(sweepUnconfirmed(payment, given, NOW).steps).toEqual([]);
  });

  it('gives a share back once, also when it went back meanwhile', () => {
    const { payment } = sweepUnconfirmed(paid(), givenUp(11), NOW);
    expect(sweepUnconfirmed(payment, givenUp(11), NOW).steps).toEqual([]);
  });

  it('asks about orders that are unconfirmed or unknown in the projection', () => {
    const shares = unconfirmedShares(paid().orders, states([12, 'confirmed']));
    expect(shares.map(({ old_id }) => old_id)).toEqual([11]);
    expect(unconfirmedShares(paid().orders, states([11, 'failed'], [12, 'under_review']))).toMatchObject([
      { old_id: 12 },
    ]);
  });
});
