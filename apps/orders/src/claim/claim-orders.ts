import type { Claim, ClaimResult } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { decideClaims } from './claim.ts';
import { lockClaimableOrders, takeOrders } from './claim.repository.ts';

/** How long a payment may take to come to be after its claim before payments is asked about it. Asking is harmless. */
export const CLAIM_CHECK_AFTER_MS = 60_000;

/**
 * Claims sets of orders for payments: a batch of claims in one transaction, each all or nothing, idempotent by the
 * payment's id (architecture §11). Answers one result a claim, in the order asked.
 */
@Injectable()
export class ClaimOrders {
  constructor(private readonly database: Database) {}

  async execute(claims: readonly Claim[]): Promise<readonly ClaimResult[]> {
    const tenants = [...new Set(claims.map((claim) => claim.tenant))];
    const oldIds = [...new Set(claims.flatMap((claim) => claim.amc_order_ids))];
    const results = await this.database.transaction(async (tx) => {
      const decision = decideClaims(await lockClaimableOrders(tx, tenants, oldIds), claims);
      await takeOrders(tx, decision.taken, new Date(tx.now.getTime() + CLAIM_CHECK_AFTER_MS));
      await passFaultPoint('orders.claim.before_commit');
      return decision.results;
    });
    await passFaultPoint('orders.claim.committed');
    return results;
  }
}
