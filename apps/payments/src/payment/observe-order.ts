import type { EventObject, EventType } from '@fundrail/contracts';
import type { Tx } from '@fundrail/messaging';
import { Injectable } from '@nestjs/common';
import { ChangePayment } from './change-payment.ts';
import { livePaymentOf, observeKnownOrder, observeOrder, orderStates } from './order-state.repository.ts';
import type { OrderFact } from './order-state.repository.ts';
import { ordersChanged } from './orders-of-payment.ts';

/** An event of an order, as far as payments care. */
export interface OrderEvent {
  readonly tenant: string;
  readonly sequence: number;
  readonly object: EventObject<Extract<EventType, `mf_purchase.${string}` | `mf_redemption.${string}`>>;
}

/** Keeps the projection of the orders' states, and lets the order's payment decide anew. No remote call (architecture, rule 5). */
@Injectable()
export class ObserveOrder {
  constructor(private readonly change: ChangePayment) {}

  /** In the transaction of the inbox row. The projection's row is locked first: a payment under way is waited for. */
  async execute(tx: Tx, event: OrderEvent): Promise<void> {
    await observeOrder(tx, factOf(event));
    await this.decide(tx, event);
  }

  /**
   * The same for a redemption that a debit was raised for. All others take no money: of a million installments on one day
   * nothing is kept here.
   */
  async executeForDebited(tx: Tx, event: OrderEvent): Promise<void> {
    if (await observeKnownOrder(tx, factOf(event))) await this.decide(tx, event);
  }

  /** What was learnt by asking, in place of an event that has not come. */
  async learn(tx: Tx, fact: OrderFact): Promise<void> {
    await observeOrder(tx, fact);
    await this.decide(tx, { tenant: fact.tenant, object: { old_id: fact.old_id } });
  }

  private async decide(
    tx: Tx,
    { tenant, object }: { readonly tenant: string; readonly object: { readonly old_id: number } },
  ): Promise<void> {
    const id = await livePaymentOf(tx, tenant, object.old_id);
    if (id === null) return;
    await this.change.within(tx, { tenant, id }, async (payment) =>
      ordersChanged(payment, await orderStates(tx, payment), tx.now),
    );
  }
}

function factOf({ tenant, sequence, object: { old_id, id: order_id, state } }: OrderEvent): OrderFact {
  return { tenant, old_id, order_id, state, sequence };
}
