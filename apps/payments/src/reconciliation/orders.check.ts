import { ApiError, orderStandings, RECONCILIATION_PAGE, type OrderStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { checkOf, compare, question, RowsCheck, type Sides } from '@fundrail/service-kit/reconciliation';
import { ObserveOrder } from '../collection/observe-order.ts';
import { OrderClaims } from '../outside/claims-client.ts';
import { liveShares, pageOfPayments, type LiveShare } from './standing.repository.ts';

/** The only states of redemptions whose events payments receives. */
const RECEIVED_REDEMPTION_STATES = new Set(['submitted', 'successful', 'failed', 'reversed']);

const SIDES: Sides<LiveShare, OrderStanding> = {
  keyOf: ({ old_id }) => old_id,
  otherKeyOf: ({ old_id }) => old_id,
  about: ({ payment_id, old_id, order_id, status, tenant }) => ({
    object: `${payment_id} ${old_id}`,
    tenant,
    facts: { payment_id, old_id, order_id, payment_status: status },
  }),
  missing: () => ({ order_of_payment_unknown: {} }),
  differing: (share, { claimed_by, amount, state, sequence }) => {
    const isBack = share.sequence !== null && share.sequence > sequence;
    const isBehind = sequence > (share.sequence ?? 0) && share.state !== state && isReceived(share, state);
    const received = { heard: share.state, heard_sequence: share.sequence };
    const states = { ...received, order_state: state, order_sequence: sequence };
    return {
      share_without_claim: claimed_by !== share.payment_id && { order_state: state, claimed_by },
      share_amount_differs: amount !== null &&
        amount.compare(share.amount) !== 0 && { share: share.amount.toString(), order: amount.toString() },
      order_went_back: isBack && states,
      order_state_not_heard: isBehind && states,
    };
  },
};

function isReceived({ order_id }: LiveShare, state: OrderStanding['state']): boolean {
  return !order_id.startsWith('mfrd_') || RECEIVED_REDEMPTION_STATES.has(state);
}

/** Compares the live shares of payments and their stored order states with the orders. */
export const ordersCheck = checkOf(
  RowsCheck<{ readonly id: number }>,
  [Database, ServiceClient, OrderClaims, ObserveOrder],
  (db, services, claims, observe) => ({
    name: 'orders of payments',
    rows: (after, { from }) => pageOfPayments(db, Number(after), from),
    placeOf: ({ id }) => id,
    named: (found) => {
      const ids = new Set(found.map(({ facts }) => Number(facts['payment_id'])));
      return Promise.resolve([...ids].map((id) => ({ id })));
    },
    compare: async (payments) => {
      const ids = payments.map(({ id }) => id);
      const shares = await liveShares(db, ids);
      const orders = await ordersAt(services, [...new Set(shares.map(({ old_id }) => old_id))]);
      return compare(shares, orders, SIDES);
    },
    repair: async ({ kind, tenant, facts }) => {
      const { payment_id, old_id } = facts;
      if (kind === 'share_without_claim' && tenant !== null)
        return claimAgain(claims, tenant, await liveShares(db, [Number(payment_id)]));
      if (kind !== 'order_state_not_heard') return false;
      const [order] = await ordersAt(services, [Number(old_id)]);
      if (!order) return false;
      const { id: order_id, state, sequence } = order;
      const fact = { tenant: order.tenant, old_id: order.old_id, order_id, state, sequence };
      await db.transaction((tx) => observe.applyFact(tx, fact));
      return true;
    },
  }),
);

/** Repeats the claim, which has no effect when it exists. Orders refuses an order that is claimed by another payment or has ended. */
async function claimAgain(
  claims: OrderClaims,
  tenant: string,
  shares: readonly LiveShare[],
): Promise<boolean> {
  const [first] = shares;
  if (!first) return false;
  const { payment_id, mandate_id } = first;
  const amc_order_ids = shares.map(({ old_id }) => old_id);
  try {
    const result = await claims.claim({
      ...{ tenant, payment_id, amc_order_ids, investor_profile: null, replaces: [] },
      ...(mandate_id === null ? {} : { mandate_id }),
    });
    return result.outcome === 'claimed';
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

async function ordersAt(services: ServiceClient, old_ids: readonly number[]): Promise<OrderStanding[]> {
  const found: OrderStanding[] = [];
  for (let at = 0; at < old_ids.length; at += RECONCILIATION_PAGE) {
    const body = { old_ids: old_ids.slice(at, at + RECONCILIATION_PAGE) };
    found.push(...(await services.call('orders', question('orders', body, orderStandings))).orders);
  }
  return found;
}
