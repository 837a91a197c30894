import fc from 'fast-check';
import { applyPaymentStatus } from '../collection/collection.ts';
import { aPayment, capturedAs, dueIn, eventsIn, NOW, rupees } from '../testing/payments.builder.ts';
import type { Payment } from './payment.ts';

const paid = () => applyPaymentStatus(aPayment(), capturedAs('c1'), NOW).payment;

describe('money that comes in', () => {
  it('makes a PENDING payment SUCCESS and its transfer due', () => {
    const outcome = applyPaymentStatus(aPayment(), capturedAs('c1'), NOW);
    expect(outcome.payment).toMatchObject({ status: 'SUCCESS', debit_confirmed_at: NOW, refunds: [] });
    expect(eventsIn(outcome)).toEqual(['payment.success', 'payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.transfer']);
  });

  it('changes nothing when it is reported twice', () => {
    expect(applyPaymentStatus(paid(), capturedAs('c1'), NOW).steps).toEqual([]);
  });

  it('a second time goes back, and the state stays', () => {
    const outcome = applyPaymentStatus(paid(), capturedAs('c2'), NOW);
    expect(outcome.payment).toMatchObject({ status: 'SUCCESS', late_auth: false });
    expect(outcome.payment.refunds).toMatchObject([
      { reason: 'duplicate_payment', status: 'CREATED', amc_order_ids: [] },
    ]);
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.refund']);
  });

  it('from another account than the investor’s is tpv_failed and goes back (CAP-3)', () => {
    const outcome = applyPaymentStatus(aPayment(), { ...capturedAs('c1'), third_party: true }, NOW);
    expect(outcome.payment).toMatchObject({
      status: 'FAILED',
      failure_code: 'tpv_failed',
      refunds: [{ reason: 'tpv_failed', status: 'CREATED' }],
    });
    expect(outcome.payment.refunded_amount.toString()).toBe('6001.5000');
    expect(eventsIn(outcome)).toEqual(['payment.failed', 'payment.updated']);
  });

  it('after FAILED is late and refunded, and the payment stays FAILED', () => {
    const failed = aPayment({ status: 'FAILED', failure_code: 'payment_expired' });
    const outcome = applyPaymentStatus(failed, capturedAs('c1'), NOW);
    expect(outcome.payment).toMatchObject({
      status: 'FAILED',
      failure_code: 'payment_expired',
      late_auth: true,
    });
    expect(outcome.payment.refunds).toMatchObject([
      { reason: 'late_authorization', reference: 'R000000001001001' },
    ]);
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(applyPaymentStatus(outcome.payment, capturedAs('c1'), NOW).steps).toEqual([]);
  });

  it.each([
    ['6001.51', 'INR'],
    ['6001.49', 'INR'],
    ['6001.50', 'USD'],
  ])('%s %s is not what was asked for: the payment fails and it goes back', (amount, currency) => {
    const { payment } = applyPaymentStatus(aPayment(), capturedAs('c1', amount, currency), NOW);
    expect(payment).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed', late_auth: false });
    expect(payment.refunds).toMatchObject([{ reason: 'amount_mismatch' }]);
    expect(payment.refunds[0]?.amount.equals(rupees(amount))).toBe(true);
  });

  it('with amount 0 is a contradiction', () => {
    expect(applyPaymentStatus(aPayment(), capturedAs('c1', '0'), NOW)).toMatchObject({
      steps: [],
      contradiction: 'captured_nothing',
    });
  });
});

it('a waiting status changes nothing', () => {
  expect(applyPaymentStatus(aPayment(), { status: 'waiting' }, NOW).steps).toEqual([]);
});

const fact = fc.oneof(
  fc.constant({ status: 'waiting' } as const),
  fc.constant({ status: 'failed', failure_code: 'bank_downtime', message: '' } as const),
  fc
    .tuple(fc.constantFrom('c1', 'c2', 'c3'), fc.constantFrom('6001.50', '1.00', '9000.00'))
    .map(([reference, amount]) => capturedAs(reference, amount)),
);

it('for any sequence of facts, never refunds more than came in, and never counts a capture twice', () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 12 }), (facts) => {
      let payment: Payment = aPayment();
      for (const fact of facts) payment = applyPaymentStatus(payment, fact, NOW).payment;
      expect(payment.refunded_amount.compare(payment.received_amount)).toBeLessThanOrEqual(0);
      expect(new Set(payment.captures.map((row) => row.provider_reference)).size).toBe(
        payment.captures.length,
      );
      const kept = payment.received_amount.minus(payment.refunded_amount);
      expect(kept.toString()).toBe(payment.status === 'SUCCESS' ? '6001.5000' : '0.0000');
    }),
  );
});
