import { aPayment, capturedAs, dueIn, NOW, states } from '../testing/payments.builder.ts';
import { providerSaid } from './capture.ts';
import { ordersChanged } from './orders-of-payment.ts';
import type { OrderState } from './orders-of-payment.ts';
import { beginTransfer, transferSaid } from './transfer.ts';

const both = (state: OrderState) => states([11, state], [12, state]);

describe('a PENDING payment whose orders change', () => {
  it('asks for the URI when all are submitted, and not before', () => {
    expect(dueIn(ordersChanged(aPayment(), both('submitted'), NOW))).toEqual(['payment.issue_uri']);
    expect(dueIn(ordersChanged(aPayment(), states([11, 'submitted'], [12, 'confirmed']), NOW))).toEqual([]);
    expect(dueIn(ordersChanged(aPayment({ uri_requested_at: NOW }), both('submitted'), NOW))).toEqual([]);
  });

  it('fails with one failed order before the URI went out', () => {
    const { payment } = ordersChanged(aPayment(), states([11, 'failed'], [12, 'submitted']), NOW);
    expect(payment).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed' });
  });

  it('goes on after the URI went out, until all have ended', () => {
    const asked = aPayment({ uri_requested_at: NOW });
    expect(ordersChanged(asked, states([11, 'failed'], [12, 'submitted']), NOW).payment.status).toBe(
      'PENDING',
    );
    const ended = ordersChanged(asked, both('failed'), NOW);
    expect(ended.payment.status).toBe('FAILED');
    expect(dueIn(ended)).toEqual(['payment.status']);
  });
});

it('a SUCCESS looks at its transfer again', () => {
  const paid = providerSaid(aPayment(), capturedAs('c1'), NOW).payment;
  expect(dueIn(ordersChanged(paid, both('submitted'), NOW))).toEqual(['payment.transfer']);
});

it('an order refused after the transfer is told once, outside of what we refund', () => {
  const paid = providerSaid(aPayment(), capturedAs('c1'), NOW).payment;
  const started = beginTransfer(paid, both('submitted'), NOW).payment;
  const settled = transferSaid(started, { status: 'settled' }, NOW).payment;
  const { payment } = ordersChanged(settled, states([11, 'failed'], [12, 'successful']), NOW);
  expect(payment).toMatchObject({
    status: 'APPROVED',
    refunds: [{ returned_by: 'registrar', amc_order_ids: [11] }],
  });
  expect(payment.refunded_amount.toString()).toBe('0.0000');
  expect(ordersChanged(payment, states([11, 'failed'], [12, 'successful']), NOW).steps).toEqual([]);
});

it.each(['FAILED', 'REJECTED'] as const)(
  'a %s payment has nothing to do with its orders any more',
  (status) => {
    expect(ordersChanged(aPayment({ status }), both('failed'), NOW).steps).toEqual([]);
  },
);
