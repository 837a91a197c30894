import type { OrderState } from '../payment/orders-of-payment.ts';
import { aCollection, dueIn, NOW, states } from '../testing/payments.builder.ts';
import { ordersChanged } from './orders-changed.ts';

const both = (state: OrderState) => states([11, state], [12, state]);

describe('a PENDING payment whose orders change', () => {
  it('requests the URI when all are submitted, and not before (FLOW-7)', () => {
    expect(dueIn(ordersChanged(aCollection(), both('submitted'), NOW))).toEqual(['payment.issue_uri']);
    expect(dueIn(ordersChanged(aCollection(), states([11, 'submitted'], [12, 'confirmed']), NOW))).toEqual(
      [],
    );
    expect(
      dueIn(ordersChanged(aCollection({ request: { state: 'requested' } }), both('submitted'), NOW)),
    ).toEqual([]);
  });

  it('fails with one failed order before the URI is requested', () => {
    const { payment } = ordersChanged(aCollection(), states([11, 'failed'], [12, 'submitted']), NOW);
    expect(payment).toMatchObject({ status: 'FAILED', failure_code: 'payment_failed' });
  });

  it('continues after the URI is requested, until all orders have ended (PAY-33, PAY-34)', () => {
    const asked = aCollection({ request: { state: 'requested' } });
    expect(ordersChanged(asked, states([11, 'failed'], [12, 'submitted']), NOW).payment.status).toBe(
      'PENDING',
    );
    const ended = ordersChanged(asked, both('failed'), NOW);
    expect(ended.payment.status).toBe('FAILED');
    expect(dueIn(ended)).toEqual(['payment.status']);
  });
});
