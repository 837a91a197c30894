import { applyPaymentStatus } from '../collection/collection.ts';
import { aPayment, capturedAs, dueIn, NOW, states } from '../testing/payments.builder.ts';
import { ordersChanged, type OrderState } from './orders-of-payment.ts';
import { beginTransfer, applyTransferStatus } from './transfer.ts';

const both = (state: OrderState) => states([11, state], [12, state]);

describe('a PENDING payment whose orders change', () => {
  it('requests the URI when all are submitted, and not before (FLOW-7)', () => {
    expect(dueIn(ordersChanged(aPayment(), both('submitted'), NOW))).toEqual(['payment.issue_uri']);
    expect(dueIn(ordersChanged(aPayment(), states([11, 'submitted'], [12, 'confirmed']), NOW))).toEqual([]);
    expect(dueIn(ordersChanged(aPayment({ uri_requested_at: NOW }), both('submitted'), NOW))).toEqual([]);
  });

  it('fails with one failed order before the URI is requested', () => {
    const { payment } = ordersChanged(aPayment(), states([11, 'failed'], [12, 'submitted']), NOW);
    expect(payment).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed' });
  });

  it('continues after the URI is requested, until all orders have ended (PAY-33, PAY-34)', () => {
    const asked = aPayment({ uri_requested_at: NOW });
    expect(ordersChanged(asked, states([11, 'failed'], [12, 'submitted']), NOW).payment.status).toBe(
      'PENDING',
    );
    const ended = ordersChanged(asked, both('failed'), NOW);
    expect(ended.payment.status).toBe('FAILED');
    expect(dueIn(ended)).toEqual(['payment.status']);
  });
});

it('a SUCCESS makes its transfer due again', () => {
  const paid = applyPaymentStatus(aPayment(), capturedAs('c1'), NOW).payment;
  expect(dueIn(ordersChanged(paid, both('submitted'), NOW))).toEqual(['payment.transfer']);
});

it('an order refused after the transfer is reported once, not as part of our refunds (REF-6)', () => {
  const paid = applyPaymentStatus(aPayment(), capturedAs('c1'), NOW).payment;
  const started = beginTransfer(paid, both('submitted'), NOW).payment;
  const settled = applyTransferStatus(started, { status: 'settled' }, NOW).payment;
  const { payment } = ordersChanged(settled, states([11, 'failed'], [12, 'successful']), NOW);
  expect(payment).toMatchObject({
    status: 'APPROVED',
    refunds: [{ returned_by: 'registrar', amc_order_ids: [11] }],
  });
  expect(payment.refunded_amount.toString()).toBe('0.0000');
  expect(ordersChanged(payment, states([11, 'failed'], [12, 'successful']), NOW).steps).toEqual([]);
});

it.each(['FAILED', 'REJECTED'] as const)('a %s payment does not react to its orders', (status) => {
  expect(ordersChanged(aPayment({ status }), both('failed'), NOW).steps).toEqual([]);
});
