import { decideGiveUps, type HeldOrder } from './give-up.ts';

const PAYMENT = 7;
const OTHER = 8;

function held(changes: Partial<HeldOrder> = {}): HeldOrder {
  return {
    old_id: 1,
    id: 'mfp_1',
    tenant: 'demo',
    state: 'pending',
    event_seq: 3,
    claimed_by: PAYMENT,
    payment_id: PAYMENT,
    ...changes,
  };
}
const decided = (order: HeldOrder, tenant = 'demo') =>
  decideGiveUps([order], [{ tenant, payment_id: PAYMENT, amc_order_ids: [1] }]);

describe('giving orders up (decision 0029)', () => {
  it.each(['under_review', 'pending'] as const)(
    'given a held order that is %s, then it is given up and marked',
    (state) => {
      const { results, marked } = decided(held({ state }));
      const answer = { old_id: 1, id: 'mfp_1', outcome: 'given_up', state, sequence: 3 };
      expect(results).toEqual([{ payment_id: PAYMENT, orders: [answer] }]);
      expect([...marked]).toEqual([[1, PAYMENT]]);
    },
  );

  it.each(['confirmed', 'submitted', 'successful', 'failed', 'cancelled', 'reversed'] as const)(
    'given a held order that is %s, then it is kept, and its state is returned',
    (state) => {
      const { results, marked } = decided(held({ state, event_seq: 9 }));
      expect(results).toMatchObject([{ orders: [{ outcome: 'kept', state, sequence: 9 }] }]);
      expect(marked.size).toBe(0);
    },
  );

  it.each([
    ['pending and free', { claimed_by: null }],
    ['pending and held by another payment', { claimed_by: OTHER, payment_id: OTHER }],
    ['confirmed under another payment', { claimed_by: OTHER, payment_id: OTHER, state: 'confirmed' }],
    [
      'confirmed, and another payment was its last',
      { claimed_by: null, payment_id: OTHER, state: 'confirmed' },
    ],
  ] as const)('given an order that is %s, then it is given up, and not marked', (_, changes) => {
    const { results, marked } = decided(held(changes));
    expect(results).toMatchObject([{ orders: [{ outcome: 'given_up' }] }]);
    expect(marked.size).toBe(0);
  });

  it('given a confirmed order whose claim is lost, then it is kept, because no step of the product causes that', () => {
    const { results } = decided(held({ claimed_by: null, state: 'confirmed' }));
    expect(results).toMatchObject([{ orders: [{ outcome: 'kept' }] }]);
  });

  it('given an order that the tenant does not have, then it is not in the result', () => {
    expect(decided(held(), 'other').results).toEqual([{ payment_id: PAYMENT, orders: [] }]);
    const nothing = decideGiveUps([], [{ tenant: 'demo', payment_id: PAYMENT, amc_order_ids: [1] }]);
    expect(nothing.results).toEqual([{ payment_id: PAYMENT, orders: [] }]);
  });

  it('given several payments, then each has its own result in the order of the request', () => {
    const orders = [held(), held({ old_id: 2, id: 'mfp_2', claimed_by: OTHER, payment_id: OTHER })];
    const { results, marked } = decideGiveUps(orders, [
      { tenant: 'demo', payment_id: OTHER, amc_order_ids: [2] },
      { tenant: 'demo', payment_id: PAYMENT, amc_order_ids: [1] },
    ]);
    expect(results.map(({ payment_id }) => payment_id)).toEqual([OTHER, PAYMENT]);
    expect([...marked].toSorted()).toEqual([
      [1, PAYMENT],
      [2, OTHER],
    ]);
  });
});
