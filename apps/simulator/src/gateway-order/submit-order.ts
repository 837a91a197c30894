import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, known, mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { nextOrderReference } from '../store/next-number.repository.ts';
import { store } from '../store/simulator.tables.ts';
import { acceptSubmission, isSameOrder, toOrderObject } from './gateway-order.ts';
import { askRegistrarWhenReady, saveOrder } from './save-order.ts';

/** Accepts a reviewed order and assigns the gateway's own number. A repeated call gets the same response and has no effect. */
@Injectable()
export class SubmitOrder {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.OrderRequest): Promise<gatewaypoaWire.OrderObjectWire> {
    return this.db.transaction(async (tx) => {
      const { reference } = request;
      const order = known(await store.orders.lock(tx, { reference }), reference);
      mustBeSame(isSameOrder(order, request), 'reference belongs to another order');
      const accepted = acceptSubmission(
        order,
        order.order_reference ?? (await nextOrderReference(tx)),
        tx.now,
      );
      if (!accepted)
        throw new GatewayRefusal(422, 'review_not_passed', 'the order has not passed its review');
      if (accepted !== order) {
        await saveOrder(tx, accepted);
        await askRegistrarWhenReady(tx, accepted);
      }
      return toOrderObject(accepted);
    });
  }
}
