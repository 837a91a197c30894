import type { RequestFaultPoint } from '@fundrail/service-kit/due';
import { faultPoint } from '@fundrail/service-kit/http';

/**
 * The places of this service at which a crash test may stop the process. Each name states what has just happened and what has not
 * yet.
 */
export type OrdersFaultPoint =
  | 'orders.create.before_commit'
  | 'orders.create.committed'
  | 'orders.change.before_commit'
  | 'orders.change.committed'
  | 'orders.cancel.before_commit'
  | 'orders.cancel.committed'
  | 'orders.claim.before_commit'
  | 'orders.claim.committed'
  | 'orders.release.before_commit'
  | 'orders.release.committed'
  | 'orders.give_up.before_commit'
  | 'orders.give_up.committed'
  | 'orders.sweep.leased'
  | 'orders.sweep.resolved'
  | `orders.${'review' | 'submit' | 'status' | 'collect'}.${RequestFaultPoint}`
  | 'orders.submit.answered'
  | 'orders.facts.before_commit'
  | 'orders.facts.committed'
  | 'orders.callback.before_commit'
  | 'orders.callback.committed'
  | 'orders.installments.before_commit'
  | 'orders.debits.before_commit'
  | 'orders.confirm_installment.before_commit'
  | 'orders.expire_installment.before_commit'
  | 'orders.collection.before_commit'
  | 'orders.expire.before_commit'
  | 'orders.expire_unpaid.before_commit';

/** Does nothing unless a crash test has set a handler (service-kit `faultPoint`). */
export const passFaultPoint: (name: OrdersFaultPoint) => Promise<void> | void = faultPoint;
