import type { Claim, ClaimResult } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { scheduleAllDue, type DueToSchedule } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { awaitsDebit, awaitsPayment } from '../mf-purchase/purchase-installment.ts';
import { ORDER_DUE } from '../order/order-due.ts';
import { claimed, claimsWithoutOverlap, decideClaims, type ClaimableOrder } from './claim.ts';
import { lockClaimableOrders, takeFreeOrders, takeOrders, type TakenOrder } from './claim.repository.ts';

/** How long after its claim a payment may take to be created before payments is asked about it. Asking is harmless. */
const CLAIM_CHECK_AFTER_MS = 60_000;

/**
 * Claims sets of orders for payments. Each claim is all or nothing, and idempotent by the payment's id (CLAIM-2). One statement
 * takes all free orders. The other claims need a reason, a replacement or a repeated answer: they are locked, decided and written
 * in a transaction. Returns one result for each claim, in the order of the request.
 */
@Injectable()
export class ClaimOrders {
  constructor(private readonly database: Database) {}

  async execute(claims: readonly Claim[]): Promise<readonly ClaimResult[]> {
    const results = await this.takeFree(claimsWithoutOverlap(claims));
    const rest = claims.filter(({ payment_id }) => !results.has(payment_id));
    for (const result of rest.length > 0 ? await this.decide(rest) : [])
      results.set(result.payment_id, result);
    await passFaultPoint('orders.claim.committed');
    return claims.flatMap(({ payment_id }) => results.get(payment_id) ?? []);
  }

  private async takeFree(claims: readonly Claim[]): Promise<Map<number, ClaimResult>> {
    const now = await this.database.now();
    await passFaultPoint('orders.claim.before_commit');
    const taken = await takeFreeOrders(this.database, claims, now, checkAfter(now));
    const orders = Map.groupBy(taken, (order) => order.claimed_by);
    return new Map(
      claims.flatMap((claim) => {
        const own = orders.get(claim.payment_id);
        return own ? [[claim.payment_id, claimed(inOrderOf(claim, own), claim)]] : [];
      }),
    );
  }

  private decide(claims: readonly Claim[]): Promise<readonly ClaimResult[]> {
    const tenants = [...new Set(claims.map((claim) => claim.tenant))];
    const oldIds = [...new Set(claims.flatMap((claim) => claim.amc_order_ids))];
    return this.database.transaction(async (tx) => {
      const orders = await lockClaimableOrders(tx, tenants, oldIds);
      const decision = decideClaims(orders, claims);
      await takeOrders(tx, decision.taken, checkAfter(tx.now));
      await scheduleAllDue(tx, confirmationsOf(orders, claims, decision.taken, tx.now));
      return decision.results;
    });
  }
}

/** Installments confirm themselves once their payment exists (SIP-26). When that is their own debit, its answer confirms them. */
function confirmationsOf(
  orders: readonly ClaimableOrder[],
  claims: readonly Claim[],
  taken: ReadonlyMap<number, number>,
  now: Date,
): DueToSchedule[] {
  const debits = new Set(claims.flatMap((claim) => (claim.mandate_id === undefined ? [] : claim.payment_id)));
  return orders.flatMap((order) => {
    const claimed_by = taken.get(order.old_id);
    if (claimed_by === undefined || !awaitsPayment({ ...order, claimed_by })) return [];
    if (debits.has(claimed_by) && awaitsDebit(order)) return [];
    return [{ kind: ORDER_DUE.confirm, key: order.id, tenant: order.tenant, due_at: now }];
  });
}

function checkAfter(now: Date): Date {
  return new Date(now.getTime() + CLAIM_CHECK_AFTER_MS);
}

/** PostgreSQL returns updated rows in any order; the claim's answer has them in the order of the request. */
function inOrderOf({ amc_order_ids }: Claim, orders: readonly TakenOrder[]): TakenOrder[] {
  return amc_order_ids.flatMap((id) => orders.find(({ old_id }) => old_id === id) ?? []);
}
