import { aPayment, capturedAs, dueIn, eventsIn, NOW, rupees } from '../testing/payments.builder.ts';
import { captured } from './capture.ts';

const paid = () => captured(aPayment(), capturedAs('c1'), NOW).payment;

describe('money that comes in', () => {
  it('makes a PENDING payment SUCCESS and its transfer due', () => {
    const outcome = captured(aPayment(), capturedAs('c1'), NOW);
    expect(outcome.payment).toMatchObject({ status: 'SUCCESS', debit_confirmed_at: NOW, refunds: [] });
    expect(eventsIn(outcome)).toEqual(['payment.success', 'payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.transfer']);
  });

  it('changes nothing when it is reported twice', () => {
    expect(captured(paid(), capturedAs('c1'), NOW).steps).toEqual([]);
  });

  it('a second time goes back, and the state stays', () => {
    const outcome = captured(paid(), capturedAs('c2'), NOW);
    expect(outcome.payment).toMatchObject({ status: 'SUCCESS', late_auth: false });
    expect(outcome.payment.refunds).toMatchObject([
      { reason: 'duplicate_payment', status: 'CREATED', amc_order_ids: [] },
    ]);
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(dueIn(outcome)).toEqual(['payment.refund']);
  });

  it('from another account than the investor’s is tpv_failed and goes back (CAP-3)', () => {
    const outcome = captured(aPayment(), { ...capturedAs('c1'), third_party: true }, NOW);
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
    const outcome = captured(failed, capturedAs('c1'), NOW);
    expect(outcome.payment).toMatchObject({
      status: 'FAILED',
      failure_code: 'payment_expired',
      late_auth: true,
    });
    expect(outcome.payment.refunds).toMatchObject([
      { reason: 'late_authorization', reference: 'R000000001001001' },
    ]);
    expect(eventsIn(outcome)).toEqual(['payment.updated']);
    expect(captured(outcome.payment, capturedAs('c1'), NOW).steps).toEqual([]);
  });

  it.each([
    ['6001.51', 'INR'],
    ['6001.49', 'INR'],
    ['6001.50', 'USD'],
  ])('%s %s is not what was asked for: the payment fails and it goes back', (amount, currency) => {
    const { payment } = captured(aPayment(), capturedAs('c1', amount, currency), NOW);
    expect(payment).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed', late_auth: false });
    expect(payment.refunds).toMatchObject([{ reason: 'amount_mismatch' }]);
    expect(payment.refunds[0]?.amount.equals(rupees(amount))).toBe(true);
  });

  it('with amount 0 is a contradiction', () => {
    expect(captured(aPayment(), capturedAs('c1', '0'), NOW)).toMatchObject({
      steps: [],
      contradiction: 'captured_nothing',
    });
  });
});
