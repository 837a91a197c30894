import { mfPurchase, mfRedemption } from '@fundrail/contracts';
import { objectOfEvent } from '@fundrail/testing';
import { ACCOUNT, type FakeOrder } from './fake-neighbours.ts';

/** An order as in its events: the fields that matter here, and null for the rest. */
export function orderObject({ id, old_id, state, amount }: FakeOrder, created_at: string): object {
  const given = { id, old_id, state, amount: Number(amount), created_at, gateway: 'gatewaypoa' };
  const about = { ...given, mf_investment_account: ACCOUNT, scheme: 'INF173K01FE6' };
  return id.startsWith('mfrd_')
    ? objectOfEvent(mfRedemption, { ...about, object: 'mf_redemption', type: 'amount' })
    : objectOfEvent(mfPurchase, { ...about, object: 'mf_purchase', type: 'fresh' });
}
