import { aPayment, capturedAs, dueIn, NOW, states } from '../testing/payments.builder.ts';
import { captured } from './capture.ts';
import { paidOrdersChanged, type OrderState } from './orders-of-payment.ts';
import { beginTransfer, applyTransferStatus } from './transfer.ts';

const both = (state: OrderState) => states([11, state], [12, state]);

it('a SUCCESS makes its transfer due again', () => {
  const paid = captured(aPayment(), capturedAs('c1'), NOW).payment;
  expect(dueIn(paidOrdersChanged(paid, both('submitted'), NOW))).toEqual(['payment.transfer']);
});

it('an order refused after the transfer is reported once, not as part of our refunds (REF-6)', () => {
  const paid = captured(aPayment(), capturedAs('c1'), NOW).payment;
  const started = beginTransfer(paid, both('submitted'), NOW).payment;
  const settled = applyTransferStatus(started, { status: 'settled' }, NOW).payment;
  const { payment } = paidOrdersChanged(settled, states([11, 'failed'], [12, 'successful']), NOW);
  expect(payment).toMatchObject({
    status: 'APPROVED',
    refunds: [{ returned_by: 'registrar', amc_order_ids: [11] }],
  });
  expect(payment.refunded_amount.toString()).toBe('0.0000');
  expect(paidOrdersChanged(payment, states([11, 'failed'], [12, 'successful']), NOW).steps).toEqual([]);
});

it.each(['FAILED', 'REJECTED'] as const)('a %s payment does not react to its orders', (status) => {
  expect(paidOrdersChanged(aPayment({ status }), both('failed'), NOW).steps).toEqual([]);
});
