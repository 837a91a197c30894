import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { scheduleDue } from '@fundrail/service-kit/due';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal } from '../gatewaypoa/gateway-refusal.ts';
import { isSameOrder, takeOrder, toOrderObject } from './gateway-order.ts';
import { insertOrder, lockOrder } from './gateway-order.repository.ts';
import { REVIEW_ORDER } from './save-order.ts';

/** Accepts an order for review. A repeated reference returns the order's current state. */
@Injectable()
export class RequestReview {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.OrderRequest): Promise<gatewaypoaWire.OrderObjectWire> {
    return this.db.transaction(async (tx) => {
      const fresh = takeOrder(request, tx.now);
      if (await insertOrder(tx, fresh)) {
        await scheduleDue(tx, {
          kind: REVIEW_ORDER,
          key: fresh.reference,
          tenant: fresh.tenant,
          due_at: tx.now,
        });
        return toOrderObject(fresh);
      }
      const known = await lockOrder(tx, request.reference);
      if (!known || !isSameOrder(known, request))
        throw new GatewayRefusal(
          422,
          'idempotency_mismatch',
          'that reference or old_id belongs to another order',
        );
      return toOrderObject(known);
    });
  }
}
