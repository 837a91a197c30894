import type { EventObject, EventType } from '@fundrail/contracts';
import type { Tx } from '@fundrail/messaging';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from './change-payment.ts';
import { livePaymentOf, observeOrder, orderStates } from './order-state.repository.ts';
import { ordersChanged } from './orders-of-payment.ts';

/** An event of a purchase order, as far as payments care. */
export interface OrderEvent {
  readonly tenant: string;
  readonly sequence: number;
  readonly object: EventObject<Extract<EventType, `mf_purchase.${string}`>>;
}

/** Keeps the projection of the orders' states, and lets the order's payment decide anew. No remote call (architecture, rule 5). */
@Injectable()
export class ObserveOrder {
  constructor(private readonly change: ChangePayment) {}

  /** In the transaction of the inbox row. The projection's row is locked first: a payment under way is waited for. */
  async execute(tx: Tx, { tenant, sequence, object }: OrderEvent): Promise<void> {
    const { old_id, id: order_id, state } = object;
    await observeOrder(tx, { tenant, old_id, order_id, state, sequence });
    const id = await livePaymentOf(tx, tenant, old_id);
    if (id === null) return;
    await this.change.within(tx, { tenant, id }, async (payment) =>
      ordersChanged(payment, await orderStates(tx, payment), tx.now),
    );
  }
}
