import type { Claim, ClaimResult } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { claimed, claimsWithoutOverlap, decideClaims } from './claim.ts';
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
      const decision = decideClaims(await lockClaimableOrders(tx, tenants, oldIds), claims);
      await takeOrders(tx, decision.taken, checkAfter(tx.now));
      return decision.results;
    });
  }
}

function checkAfter(now: Date): Date {
  return new Date(now.getTime() + CLAIM_CHECK_AFTER_MS);
}

/** PostgreSQL returns updated rows in any order; the claim's answer has them in the order of the request. */
function inOrderOf({ amc_order_ids }: Claim, orders: readonly TakenOrder[]): TakenOrder[] {
  return amc_order_ids.flatMap((id) => orders.find(({ old_id }) => old_id === id) ?? []);
}
