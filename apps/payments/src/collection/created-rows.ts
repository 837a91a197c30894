import { eventsOf, type NewEvent } from '@fundrail/messaging';
import type { KeyCompletion } from '@fundrail/service-kit/http';
import type { Claimed } from '../payment/claim-orders.ts';
import type { OrderFact } from '../payment/order-state.repository.ts';
import { toPayment, type Step } from '../payment/payment.ts';
import { CREATION_LIMIT_MS, isUnanswered, type Collection } from './collection.ts';

/** A decision to create a payment, and how its money is asked for. */
export interface NewCollection extends Pick<Collection, 'request' | 'authorisation'> {
  readonly step: Step;
}

/** The rows of one creation. */
export interface CreatedRows {
  readonly payment: Collection;
  readonly orders: readonly OrderFact[];
  readonly event: NewEvent;
  readonly completion: KeyCompletion;
  /** When `payment.expire` is due; null for a debit, which does not expire. */
  readonly expire_at: Date | null;
}

/** The rows of a creation: the payment, the states of its claimed orders, its one event, and the answer that completes the key. */
export function createdRows(
  { step, request, authorisation }: NewCollection,
  claimed: Claimed['orders'],
  completion: KeyCompletion,
  now: Date,
): CreatedRows {
  const payment = { ...step.row, request, authorisation };
  const about = { before: null, aggregateId: String(payment.id), toObject: toPayment, now };
  const [event] = eventsOf({ decision: step, ...about });
  if (!event) throw new Error('a creation must have one event');
  const orders = claimed.map(({ id: order_id, old_id, state, sequence }) => ({
    ...{ tenant: payment.tenant, old_id, order_id, state, sequence },
  }));
  // A creation whose request died is given up before the payment would expire.
  const limit = isUnanswered(payment) ? new Date(now.getTime() + CREATION_LIMIT_MS) : null;
  return { payment, orders, event, completion, expire_at: limit ?? request?.expires_at ?? null };
}
