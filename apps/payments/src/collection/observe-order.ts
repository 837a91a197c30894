import type { EventObject, EventType } from '@fundrail/contracts';
import type { Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { debitsOrderChanged } from '../debit/debit.ts';
import {
  livePaymentOf,
  observeKnownOrder,
  observeOrder,
  type OrderFact,
} from '../payment/order-state.repository.ts';
import { ChangeCollection } from './change-collection.ts';
import { decided } from './collection.ts';
import { ordersChanged } from './orders-changed.ts';

/** A payment waits until the gateway has its purchases, and asks nothing else of them unless they end: `submitted` comes between these. */
const CHANGES_NOTHING: ReadonlySet<OrderFact['state']> = new Set(['confirmed', 'successful']);

/** The part of an order's event that payments uses. */
interface OrderEvent {
  readonly tenant: string;
  readonly sequence: number;
  readonly object: EventObject<Extract<EventType, `mf_purchase.${string}` | `mf_redemption.${string}`>>;
}

/** Updates the projection of the orders' states and applies the change to the order's payment. No remote call (PAY-35, MSG-6). */
@Injectable()
export class ObserveOrder {
  constructor(private readonly change: ChangeCollection) {}

  /** In the transaction of the inbox row. Locks the projection's row first, so it waits for a creation under way. */
  async execute(tx: Tx, event: OrderEvent): Promise<void> {
    await observeOrder(tx, factOf(event));
    if (!CHANGES_NOTHING.has(event.object.state)) await this.decide(tx, event);
  }

  /**
   * The same for a redemption that has a debit. Other redemptions take no money, so nothing is stored here for a million installments
   * on one day.
   */
  async executeForDebited(tx: Tx, event: OrderEvent): Promise<void> {
    if (await observeKnownOrder(tx, factOf(event))) await this.decide(tx, event);
  }

  /** Applies a state that was read from orders because its event has not arrived. */
  async applyFact(tx: Tx, fact: OrderFact): Promise<void> {
    await observeOrder(tx, fact);
    await this.decide(tx, { tenant: fact.tenant, object: { old_id: fact.old_id } });
  }

  private async decide(
    tx: Tx,
    { tenant, object }: { readonly tenant: string; readonly object: { readonly old_id: number } },
  ): Promise<void> {
    const id = await livePaymentOf(tx, tenant, object.old_id);
    if (id === null) return;
    await this.change.within(tx, { tenant, id }, (row, { now }, states) =>
      row.payment_type === 'NACH'
        ? decided(row, debitsOrderChanged(row, states, now))
        : ordersChanged(row, states, now),
    );
  }
}

function factOf({ tenant, sequence, object: { old_id, id: order_id, state } }: OrderEvent): OrderFact {
  return { tenant, old_id, order_id, state, sequence };
}
