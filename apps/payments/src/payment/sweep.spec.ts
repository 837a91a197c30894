import { aPayment, capturedAs, dueIn, eventsIn, NOW, states } from '../testing/payments.builder.ts';
import { providerSaid } from './capture.ts';
import type { Payment } from './payment.ts';
import { sweepOf, sweepUnconfirmed } from './sweep.ts';

const checkout = { kind: 'checkout', method: null, sdk: false } as const;
const paid = (): Payment => providerSaid(aPayment({}, checkout), capturedAs('c1'), NOW).payment;

describe('the sweep of paid orders that nobody confirmed (contract §10 "Payments")', () => {
  it.each([
    ['2026-12-21T10:00:00+05:30', '2026-12-21T23:00:00+05:30'],
    ['2026-12-21T22:30:00+05:30', '2026-12-21T23:00:00+05:30'],
    ['2026-12-21T22:30:00.001+05:30', '2026-12-22T23:00:00+05:30'],
    ['2026-12-21T23:10:00+05:30', '2026-12-22T23:00:00+05:30'],
    ['2026-12-21T23:45:00+05:30', '2026-12-22T23:00:00+05:30'],
  ])('paid at %s is swept at %s', (at, sweep) => {
    expect(sweepOf(new Date(at))).toEqual(new Date(sweep));
  });

  it('is due for what is paid by page or SDK, and for no UPI request, whose orders are all submitted', () => {
    const task = { kind: 'payment.sweep', due_at: sweepOf(NOW) };
    expect(providerSaid(aPayment({}, checkout), capturedAs('c1'), NOW).due).toContainEqual(
      expect.objectContaining(task),
    );
    expect(dueIn(providerSaid(aPayment(), capturedAs('c1'), NOW))).toEqual(['payment.transfer']);
  });

  it('gives back the share of an order that is not confirmed, frees it, and lets the rest go on', () => {
    const outcome = sweepUnconfirmed(paid(), states([11, 'pending'], [12, 'confirmed']), NOW);
    expect(outcome.payment).toMatchObject({
      status: 'SUCCESS',
      refunds: [{ reason: 'order_not_confirmed', amc_order_ids: [11], status: 'CREATED' }],
    });
    expect(outcome.payment.refunded_amount.toString()).toBe('1001.0000');
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.refund', 'payment.free_orders', 'payment.transfer']);
  });

  it('rejects the payment when no order was confirmed', () => {
    const outcome = sweepUnconfirmed(paid(), states([11, 'pending'], [12, 'pending']), NOW);
    expect(outcome.payment.status).toBe('REJECTED');
    expect(eventsIn(outcome)).toEqual(['payment.rejected', 'payment.updated']);
  });

  it.each([
    ['confirmed orders', paid(), states([11, 'confirmed'], [12, 'submitted'])],
    ['a payment that is past SUCCESS', { ...paid(), status: 'INITIATED' } as const, states()],
  ])('leaves %s alone', (_, payment, known) => {
    expect(sweepUnconfirmed(payment, known, NOW).steps).toEqual([]);
  });
});
