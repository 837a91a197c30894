import type { GatewayOrderStatus } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import { Database, type Tx } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { lockOrder, markGatewayAnswer } from '../order/order.repository.ts';
import { kindOfId, type Order } from '../order/order.ts';
import { recordSteps } from '../order/record-steps.ts';
import { applyGatewayFacts } from './gateway-facts.ts';

/**
 * Where the three writers of one fact meet: the gateway's answer to our call, its callback, and its answer to our question.
 * Whichever comes first is applied under the row lock; the others find it applied (architecture §11).
 */
@Injectable()
export class LearnGatewayFacts {
  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  /** Answers the order as it then is, or null when it is not there. */
  async execute(tenant: string, id: string, facts: GatewayOrderStatus): Promise<Order | null> {
    const learnt = await this.database.transaction(async (tx) => {
      const row = await lockOrder(tx, tenant, kindOfId(id), id);
      const after = row && (await this.executeIn(tx, row, facts));
      await passFaultPoint('orders.facts.before_commit');
      return after;
    });
    await passFaultPoint('orders.facts.committed');
    return learnt;
  }

  /** The same for a row that the caller's transaction has locked. */
  async executeIn(tx: Tx, row: Order, facts: GatewayOrderStatus): Promise<Order> {
    const { steps, contradiction } = applyGatewayFacts(row, facts, tx.now);
    await recordSteps(tx, row, steps);
    if (row.unanswered_since) await markGatewayAnswer(tx, row, true, tx.now);
    if (contradiction)
      this.log.warn('the gateway contradicts an order', {
        contradiction,
        tenant: row.tenant,
        id: row.id,
        state: row.state,
      });
    return steps.at(-1)?.row ?? row;
  }
}
