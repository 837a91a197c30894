import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { mustBeSame } from '../gatewaypoa/gateway-refusal.ts';
import { store } from '../store/simulator.tables.ts';
import { isSameOrder, takeOrder, toOrderObject } from './gateway-order.ts';
import { REVIEW_ORDER } from './save-order.ts';

/** Accepts an order for review. A repeated reference returns the order's current state. */
@Injectable()
export class RequestReview {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.OrderRequest): Promise<gatewaypoaWire.OrderObjectWire> {
    return this.db.transaction(async (tx) => {
      const fresh = takeOrder(request, tx.now);
      if (await store.orders.insertOnce(tx, fresh)) {
        await scheduleDue(tx, {
          kind: REVIEW_ORDER,
          key: fresh.reference,
          tenant: fresh.tenant,
          due_at: tx.now,
        });
        return toOrderObject(fresh);
      }
      const known = await store.orders.lock(tx, { reference: request.reference });
      const isSame = known !== null && isSameOrder(known, request);
      mustBeSame(isSame, 'reference or old_id belongs to another order');
      return toOrderObject(known);
    });
  }
}
