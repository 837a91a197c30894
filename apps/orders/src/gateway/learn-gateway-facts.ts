import type { GatewayOrderStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { ORDER } from '../order/order.aggregate.ts';
import { markGatewayAnswer } from '../order/order.repository.ts';
import type { Order, OrderStep } from '../order/order.ts';
import { reportReturn } from '../mf-redemption/returned-money.ts';
import { warnOfMissedNav } from '../nav/missed-nav.ts';
import { applyGatewayFacts } from './gateway-facts.ts';

/**
 * Applies a fact of the gateway, which reaches us in three ways: the answer to our call, a callback, and the answer to our status
 * question. The first is applied under the row lock; the others then change nothing (CALL-3).
 */
@Injectable()
export class LearnGatewayFacts {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Returns the order afterwards, or null when it does not exist. */
  async execute(tenant: string, id: string, facts: GatewayOrderStatus): Promise<Order | null> {
    const learnt = await this.database.transaction(async (tx) => {
      const row = await ORDER.lock(tx, tenant, id);
      const after = row && (await this.executeIn(tx, row, facts));
      await passFaultPoint('orders.facts.before_commit');
      return after;
    });
    await passFaultPoint('orders.facts.committed');
    return learnt;
  }

  /** The same for a row that the caller's transaction has locked. */
  async executeIn(tx: Tx, row: Order, facts: GatewayOrderStatus): Promise<Order> {
    const { steps: missing, contradiction } = applyGatewayFacts(row, facts, tx.now);
    const steps = [...missing, ...returnAfter(row, missing)];
    await ORDER.record(tx, row, ...steps);
    if (row.unanswered_since) await markGatewayAnswer(tx, row, true, tx.now);
    if (contradiction)
      this.log.warn('the gateway contradicts an order', {
        contradiction,
        tenant: row.tenant,
        id: row.id,
        state: row.state,
      });
    const after = steps.at(-1)?.row ?? row;
    if (row.traded_on === null) warnOfMissedNav(this.log, after);
    return after;
  }
}

/** The gateway accepted an order whose money had gone back before we knew that. */
function returnAfter(before: Order, steps: readonly OrderStep[]): readonly OrderStep[] {
  const after = steps.at(-1)?.row;
  if (before.state !== 'confirmed' || before.collection_returned_at === null || !after) return [];
  return after.state === 'submitted' || after.state === 'successful' ? [reportReturn(after)] : [];
}
