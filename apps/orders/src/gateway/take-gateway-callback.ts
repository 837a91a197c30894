import { readOrRefuse } from '@fundrail/providers';
import type { CallbackHeaders, OrderCallback, OrderGateway } from '@fundrail/providers';
import { Log } from '@fundrail/service-kit';
import type { Tx } from '@fundrail/persistence';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Inject, Injectable } from '@nestjs/common';
import { passFaultPoint } from '../order/fault-points.ts';
import { gatewayDue } from '../order/order-due.ts';
import { lockByReference } from '../order/order.repository.ts';
import { noteGatewayEvent } from './gateway-callback.repository.ts';
import { LearnGatewayFacts } from './learn-gateway-facts.ts';
import { ORDER_GATEWAY } from './order-gateway.ts';

/**
 * Takes a callback of the order gateway: checks its signature and applies it. Its event id is stored in the same transaction as its effect, so it is applied once.
 */
@Injectable()
export class TakeGatewayCallback {
  constructor(
    @Inject(ORDER_GATEWAY) private readonly gateway: OrderGateway,
    private readonly database: Database,
    private readonly learn: LearnGatewayFacts,
    private readonly log: Log,
  ) {}

  async execute(headers: CallbackHeaders, body: string, signature: string): Promise<void> {
    const callback = await readOrRefuse(() => this.gateway.readCallback(headers, body), signature);
    await this.database.transaction(async (tx) => {
      if (await noteGatewayEvent(tx, callback.event_id, callback.reference)) await this.apply(tx, callback);
      await passFaultPoint('orders.callback.before_commit');
    });
    await passFaultPoint('orders.callback.committed');
  }

  private async apply(tx: Tx, callback: OrderCallback): Promise<void> {
    const row = await lockByReference(tx, callback.reference);
    if (!row) {
      this.log.warn('received a callback about an unknown order', { event_id: callback.event_id });
      return;
    }
    if (callback.status) {
      await this.learn.executeIn(tx, row, callback.status);
      return;
    }
    // The signature is valid, but the content is unknown: ask the gateway instead.
    this.log.warn('received a callback that is not understood', { event_id: callback.event_id, id: row.id });
    await scheduleDue(tx, { kind: gatewayDue(row).status, key: row.id, tenant: row.tenant, due_at: tx.now });
  }
}
