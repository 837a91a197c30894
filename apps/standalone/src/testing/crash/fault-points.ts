import { MANDATES_FAULT_POINTS, type MandatesFaultPoint } from '@fundrail/mandates';
import type { MessagingFaultPoint } from '@fundrail/messaging';
import type { OrdersFaultPoint } from '@fundrail/orders';
import type { PaymentFaultPoint } from '@fundrail/payments';
import type { Fault } from '@fundrail/testing';
import * as walks from './walks.ts';

/** A walk that comes to the point, and at which pass it dies there when not at the first. */
interface Way {
  readonly walk: walks.Walk;
  readonly passes?: readonly number[];
  /** Another walk that comes to the same point, by what sets it apart. */
  readonly also?: Readonly<Record<string, walks.Walk>>;
}

/** The work of each kind, done but still due: it is done again. */
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
/** Where each of mandates' points is broken off: no walk of a buyer comes to a debit yet. */
const OF_MANDATES = Object.fromEntries(
  MANDATES_FAULT_POINTS.map((point) => [point, '../../mandates/src/crash.int.spec.ts']),
) as Record<MandatesFaultPoint, string>;
/** A debit takes a day: its deaths are played where the provider and mandates are. */
const DEBITS = '../../payments/src/debit/debit-deaths.int.spec.ts';
/** Points that no single death in a walk of one client comes to, and the test that dies there. */
export const TESTED_ELSEWHERE = {
  'orders.sweep.leased': 'crash/abandoned-claim.e2e.spec.ts',
  'orders.sweep.resolved': 'crash/abandoned-claim.e2e.spec.ts',
  ...OF_MANDATES,
  'payments.debit_admitted': DEBITS,
  'payments.notice_begun': DEBITS,
  'payments.notice_answered': DEBITS,
  'payments.notified': DEBITS,
  'payments.attempt_begun': DEBITS,
  'payments.attempt_answered': DEBITS,
  'payments.attempt_applied': DEBITS,
} as const;
type OwnTest = keyof typeof TESTED_ELSEWHERE;
type Point = Exclude<OrdersFaultPoint | PaymentFaultPoint, OwnTest> | MessagingFaultPoint | OtherPoint;

const { paid } = walks;

/** Each named point of the code, by what leads there. One that is missing does not compile. */
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
  'payments.uri_requested': { walk: paid },
  'payments.uri_answered': { walk: paid },
  'payments.uri_issued': { walk: paid },
  'payments.collect_requested': { walk: walks.collected },
  'payments.collect_answered': { walk: walks.collected },
  'payments.collect_sent': { walk: walks.collected },
  'payments.checkout_answered': { walk: walks.paidBySdk },
  'payments.checkout_opened': { walk: walks.paidBySdk },
  'payments.ending_begun': { walk: walks.paymentCancelledThenPaid },
  'payments.cancel_answered': { walk: walks.paymentCancelledThenPaid },
  'payments.ended': { walk: walks.paymentCancelledThenPaid },
  'payments.status_answered': { walk: walks.askedAbout },
  'payments.status_applied': { walk: walks.askedAbout },
  'payments.transfer_started': { walk: paid },
  'payments.transfer_answered': { walk: walks.twoOrdersInOnePayment },
  'payments.transfer_applied': { walk: paid },
  'payments.refund_answered': { walk: walks.paidTooLate, also: { 'by SDK': walks.paidTooLateBySdk } },
  'payments.refund_applied': { walk: walks.paidTooLate, also: { 'by SDK': walks.paidTooLateBySdk } },
  'payments.callback_applied': { walk: walks.declinedThenPaid, passes: [1, 2] },
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
  // Days pass in these three, with all that falls due in them: last, so that the other walks are not among it.
  'payments.swept': { walk: walks.sweptUnconfirmed },
  'orders.expire.before_commit': { walk: walks.neverConfirmed },
  'orders.expire_unpaid.before_commit': { walk: walks.neverPaid },
};

/** One death: its name for the report, what it is armed with, and the walk that comes there. */
export interface Death {
  readonly name: string;
  readonly fault: Fault;
  readonly walk: walks.Walk;
}

export const DEATHS: readonly Death[] = Object.entries<Way>(WAYS).flatMap(
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
