import { ApiError, orderStandings, RECONCILIATION_PAGE, type OrderStanding } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { ServiceClient } from '@fundrail/service-kit/http';
import { byKey, pageByNumber, ReconciliationCheck } from '@fundrail/service-kit/reconciliation';
import type { CheckPage, Finding, Window } from '@fundrail/service-kit/reconciliation';
import { Injectable } from '@nestjs/common';
import { OrderClaims } from '../outside/claims-client.ts';
import { ObserveOrder } from '../payment/observe-order.ts';
import { liveShares, pageOfPayments, type LiveShare } from './standing.repository.ts';

/** The only states of redemptions whose events payments receives. */
const RECEIVED_REDEMPTION_STATES = new Set(['submitted', 'successful', 'failed', 'reversed']);

/** Compares the live shares of payments and their stored order states with the orders. */
@Injectable()
export class OrdersCheck extends ReconciliationCheck {
  readonly name = 'orders of payments';

  constructor(
    private readonly db: Database,
    private readonly services: ServiceClient,
    private readonly claims: OrderClaims,
    private readonly observe: ObserveOrder,
  ) {
    super();
  }

  async page(cursor: string | null, { from }: Window): Promise<CheckPage> {
    const rows = await pageOfPayments(this.db, Number(cursor ?? 0), from);
    return pageByNumber(
      rows,
      RECONCILIATION_PAGE,
      ({ id }) => id,
      (all) => this.compare(all.filter(({ wanted }) => wanted).map(({ id }) => id)),
    );
  }

  async again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return this.compare([...new Set(findings.map(({ facts }) => Number(facts['payment_id'])))]);
  }

  override async repair(finding: Finding): Promise<boolean> {
    if (finding.kind === 'share_without_claim') return this.claimAgain(finding);
    return finding.kind === 'order_state_not_heard' ? this.storeState(finding) : false;
  }

  /** Repeats the claim, which has no effect when it exists. Orders refuses an order that is claimed by another payment or has ended. */
  private async claimAgain({ tenant, facts }: Finding): Promise<boolean> {
    const payment_id = Number(facts['payment_id']);
    const shares = await liveShares(this.db, [payment_id]);
    if (tenant === null || shares.length === 0) return false;
    const amc_order_ids = shares.map(({ old_id }) => old_id);
    const mandate = shares[0]?.mandate_id ?? null;
    try {
      const result = await this.claims.claim({
        ...{ tenant, payment_id, amc_order_ids, investor_profile: null, replaces: [] },
        ...(mandate === null ? {} : { mandate_id: mandate }),
      });
      return result.outcome === 'claimed';
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  }

  private async storeState({ facts }: Finding): Promise<boolean> {
    const [order] = await this.standings([Number(facts['old_id'])]);
    if (!order) return false;
    const { tenant, old_id, id: order_id, state, sequence } = order;
    await this.db.transaction((tx) =>
      this.observe.applyFact(tx, { tenant, old_id, order_id, state, sequence }),
    );
    return true;
  }

  private async compare(paymentIds: readonly number[]): Promise<readonly Finding[]> {
    if (paymentIds.length === 0) return [];
    const shares = await liveShares(this.db, paymentIds);
    const oldIds = [...new Set(shares.map(({ old_id }) => old_id))];
    const orders = byKey(await this.standings(oldIds), ({ old_id }) => old_id);
    return shares.flatMap((share) => disagreements(share, orders.get(share.old_id)));
  }

  private async standings(old_ids: readonly number[]): Promise<OrderStanding[]> {
    const found: OrderStanding[] = [];
    for (let at = 0; at < old_ids.length; at += RECONCILIATION_PAGE) {
      const { orders } = await this.services.call('orders', {
        method: 'POST',
        path: '/internal/reconciliation/orders',
        body: { old_ids: old_ids.slice(at, at + RECONCILIATION_PAGE) },
        answer: orderStandings,
        retry: true,
      });
      found.push(...orders);
    }
    return found;
  }
}

function disagreements(share: LiveShare, order: OrderStanding | undefined): Finding[] {
  const { payment_id, old_id, order_id, status, tenant } = share;
  const object = `${payment_id} ${old_id}`;
  const facts = { payment_id, old_id, order_id, payment_status: status };
  if (!order) return [{ kind: 'order_of_payment_unknown', object, tenant, facts }];
  const found: Finding[] = [];
  const add = (kind: Finding['kind'], more: Finding['facts']) =>
    found.push({ kind, object, tenant, facts: { ...facts, ...more } });
  if (order.claimed_by !== payment_id)
    add('share_without_claim', { order_state: order.state, claimed_by: order.claimed_by });
  if (order.amount !== null && order.amount.compare(share.amount) !== 0)
    add('share_amount_differs', { share: share.amount.toString(), order: order.amount.toString() });
  const received = { heard: share.state, heard_sequence: share.sequence };
  const real = { order_state: order.state, order_sequence: order.sequence };
  if (share.sequence !== null && share.sequence > order.sequence)
    add('order_went_back', { ...received, ...real });
  else if (order.sequence > (share.sequence ?? 0) && share.state !== order.state && isReceived(share, order))
    add('order_state_not_heard', { ...received, ...real });
  return found;
}

function isReceived({ order_id }: LiveShare, { state }: OrderStanding): boolean {
  return !order_id.startsWith('mfrd_') || RECEIVED_REDEMPTION_STATES.has(state);
}
