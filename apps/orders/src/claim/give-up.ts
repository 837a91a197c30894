import type { GivenUpOrder, GiveUp, GiveUpResult } from '@fundrail/contracts';
import type { MfOrder } from '../order/order.table.ts';

/** The fields of an order that a give-up needs. */
export type HeldOrder = Readonly<
  Pick<MfOrder, 'old_id' | 'id' | 'tenant' | 'state' | 'event_seq' | 'claimed_by' | 'payment_id'>
>;

/** The result of a batch of give-ups: a result for each in the order of the request, and the orders to mark. */
interface GiveUpDecision {
  readonly results: readonly GiveUpResult[];
  /** `old_id` → the payment under which the order cannot be confirmed any more. */
  readonly marked: ReadonlyMap<number, number>;
}

/**
 * Decides which orders lose the money of their payment because they were not confirmed (ORD-28). `orders` are locked by the caller.
 * An order that the payment still holds stays held. Its claim is released once payments has recorded the refund, so that nothing
 * else can take the order in between.
 */
export function decideGiveUps(orders: readonly HeldOrder[], giveUps: readonly GiveUp[]): GiveUpDecision {
  const known = new Map(orders.map((order) => [order.old_id, order]));
  const marked = new Map<number, number>();
  const results = giveUps.map(({ tenant, payment_id, amc_order_ids }) => ({
    payment_id,
    orders: amc_order_ids.flatMap((id) => {
      const order = known.get(id);
      if (order?.tenant !== tenant) return [];
      const decided = decide(order, payment_id);
      if (decided.outcome === 'given_up' && order.claimed_by === payment_id) marked.set(id, payment_id);
      return [decided];
    }),
  }));
  return { results, marked };
}

function decide(order: HeldOrder, paymentId: number): GivenUpOrder {
  const { old_id, id, state, event_seq: sequence } = order;
  return { old_id, id, outcome: keepsMoney(order, paymentId) ? 'kept' : 'given_up', state, sequence };
}

/**
 * The money stays with an order after its confirmation. It also stays when the order's claim is gone but its last payment is still
 * this one: no step of the product leads there, so a person must judge the damage. An order that another payment holds or held last
 * no longer needs this payment's money.
 */
function keepsMoney({ state, claimed_by, payment_id }: HeldOrder, paymentId: number): boolean {
  const isItsPayment = claimed_by === paymentId || (claimed_by === null && payment_id === paymentId);
  return isItsPayment && state !== 'under_review' && state !== 'pending';
}
