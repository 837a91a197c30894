import type { MandatesFaultPoint } from '@fundrail/mandates';
import type { MessagingFaultPoint } from '@fundrail/messaging';
import type { OrdersFaultPoint } from '@fundrail/orders';
import type { PaymentFaultPoint } from '@fundrail/payments';
import { PLANS_FAULT_POINTS, type PlansFaultPoint } from '@fundrail/plans';
import type { Fault } from '@fundrail/testing';
import * as mandates from './mandate-walks.ts';
import * as walks from './walks.ts';

/** A walk that reaches the point, and the pass at which it dies there, if not the first. */
interface Way {
  readonly walk: walks.Walk;
  readonly passes?: readonly number[];
  /** Other walks that reach the same point, by what distinguishes them. */
  readonly also?: Readonly<Record<string, walks.Walk>>;
}

/** Kinds of due work that were done but not marked as done: they run again. */
type DueKind =
  | 'order.review'
  | 'order.submit'
  | 'order.status'
  | 'payment.issue_uri'
  | 'payment.send_collect'
  | 'payment.status'
  | 'payment.transfer'
  | 'payment.refund'
  | 'review_order'
  | 'answer_collect'
  | 'ask_registrar'
  | 'settle_transfer'
  | 'process_refund'
  | 'send_callbacks';
type OtherPoint =
  `due.handled.${DueKind}` | 'idempotency.taken' | 'simulator.callback_taken' | 'webhook.sent';
/** The tests that die at plans's points. They are not here because an installment takes a month. */
const OF_PLANS = Object.fromEntries(
  PLANS_FAULT_POINTS.map((point) => [point, '../../apps/plans/src/crash.int.spec.ts']),
) as Record<PlansFaultPoint, string>;
/** The test that dies at the points of purchase plans' installments, whose last moment is days away. */
const OF_INSTALLMENTS = '../../apps/orders/src/mf-purchase/purchase-installments.int.spec.ts';
/** The test that dies at the points of an erasure, which is a year away. */
const OF_ERASURES = '../../apps/identity/src/erasure/erasure.int.spec.ts';
/** Points that a crash in a walk of one client does not reach, and the test that dies there. */
export const TESTED_ELSEWHERE = {
  'orders.sweep.leased': 'crash/abandoned-claim.e2e.spec.ts',
  'orders.sweep.resolved': 'crash/abandoned-claim.e2e.spec.ts',
  'orders.debits.before_commit': OF_INSTALLMENTS,
  'orders.confirm_installment.before_commit': OF_INSTALLMENTS,
  'orders.expire_installment.before_commit': OF_INSTALLMENTS,
  'identity.erasure.running': OF_ERASURES,
  'identity.erasure.service_erased': OF_ERASURES,
  'identity.erasure.before_done': OF_ERASURES,
  ...OF_PLANS,
} as const;
type Point =
  | Exclude<OrdersFaultPoint | PaymentFaultPoint, keyof typeof TESTED_ELSEWHERE>
  | MandatesFaultPoint
  | MessagingFaultPoint
  | OtherPoint;

const { paid } = walks;

/** Each named point of the code, with a walk that reaches it. A missing point does not compile. */
const WAYS: Readonly<Record<Point, Way>> = {
  'orders.create.before_commit': { walk: paid },
  'orders.create.committed': { walk: paid },
  'orders.change.before_commit': { walk: paid, passes: [1, 2] },
  'orders.change.committed': { walk: paid, passes: [1, 2] },
  'orders.cancel.before_commit': { walk: walks.orderCancelled },
  'orders.cancel.committed': { walk: walks.orderCancelled },
  'orders.claim.before_commit': { walk: walks.twoOrdersInOnePayment },
  'orders.claim.committed': { walk: walks.twoOrdersInOnePayment },
  'orders.release.before_commit': { walk: walks.declinedThenPaid },
  'orders.release.committed': { walk: walks.refusedAfterTheClaim },
  'orders.review.before_call': { walk: walks.reviewRefused },
  'orders.review.called': { walk: walks.reviewRefused },
  'orders.submit.before_call': { walk: paid },
  'orders.submit.answered': { walk: mandates.installmentCollected },
  'orders.submit.called': { walk: paid },
  'orders.status.before_call': { walk: walks.askedAbout },
  'orders.status.called': { walk: walks.askedAbout },
  'orders.facts.before_commit': { walk: paid, passes: [1, 2] },
  'orders.facts.committed': { walk: paid, passes: [1, 2] },
  'orders.callback.before_commit': { walk: paid, passes: [1, 3] },
  'orders.callback.committed': { walk: walks.registrarRefused, passes: [1, 3] },
  'payments.id_drawn': { walk: paid },
  'payments.claimed': { walk: walks.twoOrdersInOnePayment },
  'payments.created': { walk: paid },
  'payments.voided': { walk: walks.refusedAfterTheClaim },
  'payments.issue_uri.before_call': { walk: paid },
  'payments.issue_uri.called': { walk: paid },
  'payments.send_collect.before_call': { walk: walks.collected },
  'payments.send_collect.called': { walk: walks.collected },
  'payments.upi_request_applied': { walk: paid, also: { 'by collect': walks.collected } },
  'payments.checkout_answered': { walk: walks.paidBySdk },
  'payments.checkout_opened': { walk: walks.paidBySdk },
  'payments.ending_begun': { walk: walks.paymentCancelledThenPaid },
  'payments.cancel_answered': { walk: walks.paymentCancelledThenPaid },
  'payments.ended': { walk: walks.paymentCancelledThenPaid },
  'payments.status_answered': { walk: walks.askedAbout },
  'payments.status_applied': { walk: walks.askedAbout },
  'payments.transfer.before_call': { walk: paid },
  'payments.transfer.called': { walk: walks.twoOrdersInOnePayment },
  'payments.transfer_applied': { walk: paid },
  'payments.refund.before_call': { walk: walks.paidTooLate },
  'payments.refund.called': { walk: walks.paidTooLate, also: { 'by SDK': walks.paidTooLateBySdk } },
  'payments.refund_applied': { walk: walks.paidTooLate, also: { 'by SDK': walks.paidTooLateBySdk } },
  'payments.callback_applied': { walk: walks.declinedThenPaid, passes: [1, 2] },
  'payments.debit_admitted': { walk: mandates.debited },
  'mandates.create.before_commit': { walk: mandates.checked },
  'mandates.create.committed': { walk: mandates.checked },
  'mandates.authorisation.before_commit': { walk: mandates.checked },
  'mandates.authorisation.committed': { walk: mandates.approvedTwice, passes: [1, 2] },
  'mandates.sweep.leased': { walk: mandates.checked },
  'mandates.sweep.resolved': { walk: mandates.checked },
  'mandates.facts.before_commit': {
    walk: mandates.approvedTwice,
    passes: [1, 2],
    also: { 'paused at the bank': mandates.pausedAndResumed },
  },
  'mandates.status.before_call': { walk: mandates.pausedAndResumed, passes: [1, 2] },
  'mandates.status.called': { walk: mandates.pausedAndResumed, passes: [1, 2] },
  'mandates.callback.before_commit': { walk: mandates.pausedAndResumed, passes: [1, 3] },
  'mandates.callback.committed': { walk: mandates.pausedAndResumed, passes: [1, 3] },
  'mandates.debit.before_commit': { walk: mandates.debited },
  'mandates.debit.committed': { walk: mandates.debited },
  'mandates.debit.cancelled': { walk: mandates.debitCancelled },
  'mandates.notice_begun': { walk: mandates.debited },
  'mandates.notice_answered': { walk: mandates.debited },
  'mandates.notified': { walk: mandates.debited },
  'mandates.attempt_begun': { walk: mandates.debited },
  'mandates.attempt_answered': { walk: mandates.debited },
  'mandates.attempt_applied': { walk: mandates.debited },
  'mandates.cancel.before_commit': { walk: mandates.cancelledBeforeItsDebit },
  'mandates.cancel.committed': { walk: mandates.cancelledBeforeItsDebit },
  'mandates.revoke.before_call': { walk: mandates.cancelledBeforeItsDebit },
  'mandates.revoke.called': { walk: mandates.approvedTwice },
  'mandates.expire.before_commit': { walk: mandates.expired },
  'outbox.published': { walk: paid, passes: [1, 5] },
  'inbox.handled': { walk: paid, passes: [1, 6] },
  'inbox.committed': { walk: paid, passes: [1, 6] },
  'idempotency.taken': { walk: paid, passes: [1, 3] },
  'webhook.sent': { walk: paid, passes: [1, 5] },
  'simulator.callback_taken': { walk: paid, passes: [1, 3] },
  'due.handled.order.review': { walk: paid },
  'due.handled.order.submit': { walk: paid },
  'due.handled.order.status': { walk: walks.askedAbout },
  'due.handled.payment.issue_uri': { walk: paid },
  'due.handled.payment.send_collect': { walk: walks.collected },
  'due.handled.payment.status': { walk: walks.askedAbout },
  'due.handled.payment.transfer': { walk: paid },
  'due.handled.payment.refund': { walk: walks.paidTooLate },
  'due.handled.review_order': { walk: paid },
  'due.handled.answer_collect': { walk: walks.collected },
  'due.handled.ask_registrar': { walk: paid },
  'due.handled.settle_transfer': { walk: paid },
  'due.handled.process_refund': { walk: walks.paidTooLate },
  'due.handled.send_callbacks': { walk: paid },
  'orders.installments.before_commit': { walk: mandates.installmentCollected },
  'orders.collect.before_call': { walk: mandates.installmentCollected },
  'orders.collect.called': { walk: mandates.installmentCollected },
  'orders.collection.before_commit': { walk: mandates.installmentCollected },
  // Days pass in these walks, and all kinds of work fall due. They come last, so that they do not disturb the other walks.
  'orders.give_up.before_commit': { walk: walks.sweptUnconfirmed },
  'orders.give_up.committed': { walk: walks.sweptUnconfirmed },
  'payments.give_up_answered': {
    walk: walks.sweptUnconfirmed,
    also: { 'for a debit': mandates.debitNeverConfirmed },
  },
  'payments.swept': { walk: walks.sweptUnconfirmed },
  'payments.debit_unconfirmed': { walk: mandates.debitNeverConfirmed },
  'orders.expire.before_commit': { walk: walks.neverConfirmed },
  'orders.expire_unpaid.before_commit': { walk: walks.neverPaid },
};

/** One crash: its name for the report, the fault that is armed, and the walk that reaches it. */
export interface Crash {
  readonly name: string;
  readonly fault: Fault;
  readonly walk: walks.Walk;
}

/** Whether the point is one that only a debit reaches. Days pass in its walk. */
export function isOfDebit({ fault: { point } }: Crash): boolean {
  return /^(payments\.debit_|mandates\.(notice_|notified$|attempt_))/.test(point);
}

export const CRASHES: readonly Crash[] = Object.entries<Way>(WAYS).flatMap(
  ([point, { walk, passes = [1], also = {} }]) => [
    ...passes.map((pass) => ({
      name: pass === 1 ? point : `${point}, pass ${pass}`,
      fault: { point, pass },
      walk,
    })),
    ...Object.entries(also).map(([how, other]) => ({
      name: `${point}, ${how}`,
      fault: { point },
      walk: other,
    })),
  ],
);
