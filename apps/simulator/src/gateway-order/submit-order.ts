import type { gatewaypoaWire } from '@fundrail/providers';
import { Database } from '@fundrail/service-kit/db';
import { Injectable } from '@nestjs/common';
import { GatewayRefusal, notKnownHere } from '../gatewaypoa/gateway-refusal.ts';
import { acceptSubmission, isSameOrder, toOrderObject } from './gateway-order.ts';
import { lockOrder, nextOrderReference } from './gateway-order.repository.ts';
import { askRegistrarWhenReady, saveOrder } from './save-order.ts';

/** Accepts a reviewed order and assigns the gateway's own number. A repeated call gets the same response and has no effect. */
@Injectable()
export class SubmitOrder {
  constructor(private readonly db: Database) {}

  execute(request: gatewaypoaWire.OrderRequest): Promise<gatewaypoaWire.OrderObjectWire> {
    return this.db.transaction(async (tx) => {
      const known = await lockOrder(tx, request.reference);
      if (!known) throw notKnownHere(request.reference);
      if (!isSameOrder(known, request))
        throw new GatewayRefusal(422, 'idempotency_mismatch', 'that reference belongs to another order');
      const accepted = acceptSubmission(known, known.order_reference ?? (await nextOrderReference(tx)));
      if (!accepted)
        throw new GatewayRefusal(422, 'review_not_passed', 'the order has not passed its review');
      if (accepted !== known) {
        await saveOrder(tx, accepted);
        await askRegistrarWhenReady(tx, accepted);
      }
      return toOrderObject(accepted);
    });
  }
}
