import type { FakeOrder } from './fake-neighbours.ts';

/** An order as in its events: the fields that matter here, and null for the rest. */
export function orderObject(order: FakeOrder, at: string): object {
  const absent = ['folio_number', 'units', 'plan', 'installment_number', 'scheduled_on', 'traded_on'];
  const isRedemption = order.id.startsWith('mfrd_');
  const settlement = isRedemption
    ? ['redeemed_units', 'redeemed_amount', 'redeemed_price']
    : ['allotted_units', 'purchased_amount', 'purchased_price'];
  const also = ['consent', 'payment_id', 'order_reference', 'failure_code', 'source_ref_id'];
  const rest = [
    'user_ip',
    'euin',
    'partner',
    'initiated_by',
    'initiated_via',
    'review_completed_at',
    'confirmed_at',
    'submitted_at',
  ];
  const last = ['succeeded_at', 'failed_at', 'cancelled_at', 'reversed_at'];
  const nulls = Object.fromEntries(
    [...absent, ...settlement, ...also, ...rest, ...last].map((field) => [field, null]),
  );
  const given = {
    id: order.id,
    old_id: order.old_id,
    state: order.state,
    amount: Number(order.amount),
    created_at: at,
  };
  const fixed = {
    object: isRedemption ? 'mf_redemption' : 'mf_purchase',
    mf_investment_account: `mfia_${'b'.repeat(32)}`,
    scheme: 'INF173K01FE6',
    type: isRedemption ? 'amount' : 'fresh',
    gateway: 'gatewaypoa',
  };
  return { ...nulls, ...fixed, ...given };
}
