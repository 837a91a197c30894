import type { RefundRow } from '../payment/payment.tables.ts';
import type { Collection } from '../collection/collection.ts';
import { aCollection, NOW, rupees, states } from '../testing/payments.builder.ts';
import { toTrace, type TraceFacts } from './payment-trace.ts';

const facts = (payment: Collection, changes: Partial<TraceFacts> = {}): TraceFacts => ({
  ...{ payment, debit: null, states: states(), calls: new Map(), history: [] },
  nextTry: () => null,
  ...changes,
});

const refund = (changes: Partial<RefundRow>): RefundRow => ({
  ...{
    reference: 'R1',
    tenant: 'demo',
    payment_id: 1001,
    number: 1,
    amount: rupees('1001'),
    status: 'CREATED',
  },
  ...{ reason: 'order_failed', failure_code: null, attempt: 1, accepted: false, returned_by: 'provider' },
  ...{ amc_order_ids: [11], created_at: NOW },
  ...changes,
});

describe('the trace of a payment', () => {
  it('has no transfer before one is started', () => {
    expect(toTrace(facts(aCollection())).transfer).toBeNull();
  });

  it('shows the orders of a rejected transfer, even after their money went back', () => {
    const refunds = [
      refund({ amc_order_ids: [11] }),
      refund({ reference: 'R2', number: 2, reason: 'transfer_rejected', amc_order_ids: [12] }),
    ];
    const { transfer } = toTrace(
      facts(aCollection({ payment: { status: 'REJECTED', transfer_reference: 'T1', refunds } })),
    );
    expect([transfer?.amc_order_ids, transfer?.amount.toFixed2()]).toEqual([[12], '5000.50']);
  });
});
