import { faultPoint } from '@fundrail/service-kit/http';

/** Every place of this service at which a crash test may stop the process: what has just happened, and what has not yet. */
export const ORDERS_FAULT_POINTS = [
  'orders.create.before_commit',
  'orders.create.committed',
  'orders.change.before_commit',
  'orders.change.committed',
  'orders.cancel.before_commit',
  'orders.cancel.committed',
  'orders.claim.before_commit',
  'orders.claim.committed',
  'orders.release.before_commit',
  'orders.release.committed',
  'orders.sweep.leased',
  'orders.sweep.resolved',
  'orders.review.before_call',
  'orders.review.called',
  'orders.submit.before_call',
  'orders.submit.called',
  'orders.status.before_call',
  'orders.status.called',
  'orders.facts.before_commit',
  'orders.facts.committed',
  'orders.callback.before_commit',
  'orders.callback.committed',
  'orders.installments.before_commit',
  'orders.collect.before_call',
  'orders.collect.called',
  'orders.collection.before_commit',
  'orders.expire.before_commit',
  'orders.expire_unpaid.before_commit',
] as const;
export type OrdersFaultPoint = (typeof ORDERS_FAULT_POINTS)[number];

/** Does nothing unless a crash test has been set up (service-kit `faultPoint`). */
export async function passFaultPoint(name: OrdersFaultPoint): Promise<void> {
  await faultPoint(name);
}
