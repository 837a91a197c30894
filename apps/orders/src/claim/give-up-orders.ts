import type { GiveUp, GiveUpResult } from '@fundrail/contracts';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { lockHeldOrders, markOrdersGivenUp } from './claim.repository.ts';
import { decideGiveUps } from './give-up.ts';

/**
 * Payments asks this before it gives money back because orders were not confirmed (decision 0029). An order that is not confirmed
 * is marked under its row lock, and a confirmation under that payment is refused from then on. A repeated request gets the same
 * answer.
 */
@Injectable()
export class GiveUpOrders {
  constructor(private readonly database: Database) {}

  /** Returns one result for each give-up, in the order of the request. All marks are committed before it returns. */
  async execute(giveUps: readonly GiveUp[]): Promise<readonly GiveUpResult[]> {
    const tenants = [...new Set(giveUps.map(({ tenant }) => tenant))];
    const oldIds = [...new Set(giveUps.flatMap(({ amc_order_ids }) => amc_order_ids))];
    const results = await this.database.transaction(async (tx) => {
      const decision = decideGiveUps(await lockHeldOrders(tx, tenants, oldIds), giveUps);
      await markOrdersGivenUp(tx, decision.marked);
      await passFaultPoint('orders.give_up.before_commit');
      return decision.results;
    });
    await passFaultPoint('orders.give_up.committed');
    return results;
  }
}
