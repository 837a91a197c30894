import {
  addDays,
  businessDaysAfter,
  istDate,
  istInstant,
  SEEDED_HOLIDAYS,
  type Holidays,
} from '@fundrail/contracts';
import { obsolete, type DueChange } from '@fundrail/service-kit/aggregate';
import type { Decision } from '@fundrail/state-machines';
import { awaitsCollection } from '../mf-redemption/mf-redemption.ts';
import { awaitsDebit } from '../mf-purchase/purchase-installment.ts';
import type { Order } from './order.ts';

/** Kinds of due work of this service; the key is the order's id. */
export const ORDER_DUE = {
  /** Asks the gateway to review the order, then asks for the result. */
  review: 'order.review',
  /** Starts the debit of an installment's mandate, before the gateway gets the installment. */
  collect: 'order.collect',
  /** Submits the order to the gateway, then asks for the result. */
  submit: 'order.submit',
  /** Asks the gateway for the state of a submitted order. */
  status: 'order.status',
  /** The same three for installments of plans. A million may fall due in one minute, and other orders must not wait behind them. */
  reviewInstallment: 'installment.review',
  submitInstallment: 'installment.submit',
  installmentStatus: 'installment.status',
  /** Debits the mandate of a purchase plan for an installment, together with many others. */
  debit: 'installment.debit',
  /** Confirms an installment of a purchase plan once its payment exists. */
  confirm: 'installment.confirm',
  /** Ends an installment of a purchase plan that is not paid in time. */
  expireInstallment: 'installment.expire',
  /** `order_expiry`: no confirmation in time. */
  expire: 'order.expire',
  /** `payment_url_unused`: submitted and never paid. */
  expireUnpaid: 'order.expire_unpaid',
} as const;

/** Business days without a confirmation. The order ends when the next one starts (ORD-22). */
const DAYS_TO_CONFIRM = 7;
/** The daily sweep of unpaid orders (ORD-25), IST. */
const SWEEP_TIME = '23:00';
const SWEEP_LEAST_AGE_MS = 30 * 60_000;
/** The delay of the first status question after a submission. Normally the gateway's callback comes first (GATE-3). */
const FIRST_STATUS_MS = 5_000;

/** When an order that was reviewed at that time ends, if it is not confirmed. */
export function confirmationDeadline(reviewCompletedAt: Date, holidays: Holidays): Date {
  return istInstant(businessDaysAfter(istDate(reviewCompletedAt), DAYS_TO_CONFIRM + 1, holidays));
}

/** The first 23:00 IST that is at least 30 minutes after the submission and not before `from`. */
export function nextUnpaidSweep(submittedAt: Date, from: Date): Date {
  const least = Math.max(submittedAt.getTime() + SWEEP_LEAST_AGE_MS, from.getTime());
  const today = istDate(new Date(least));
  const sweep = istInstant(today, SWEEP_TIME);
  return sweep.getTime() >= least ? sweep : istInstant(addDays(today, 1), SWEEP_TIME);
}

/** When an installment of a purchase plan that was reviewed at that time ends, unless it is paid (SIP-27). */
export function paymentDeadline(payableUntil: Date, reviewedAt: Date): Date {
  return new Date(Math.max(payableUntil.getTime(), reviewedAt.getTime() + SWEEP_LEAST_AGE_MS));
}

/** The kinds of due work that ask the gateway about an order. */
export function gatewayDue({ plan }: Pick<Order, 'plan'>) {
  const { review, submit, status, reviewInstallment, submitInstallment, installmentStatus } = ORDER_DUE;
  return plan === null
    ? { review, submit, status }
    : { review: reviewInstallment, submit: submitInstallment, status: installmentStatus };
}

/** The due work after a step. `holidays` are used after a review. */
export function dueAfter(
  step: Decision<Order>,
  now: Date,
  holidays: Holidays = SEEDED_HOLIDAYS,
): DueChange[] {
  const { review, submit, status } = gatewayDue(step.row);
  const { collect, expire, expireUnpaid, debit, expireInstallment } = ORDER_DUE;
  const { payable_until } = step.row;
  // A redemption takes no money, so it is not swept. An installment of a purchase plan has a deadline of its own.
  const isSwept = step.row.kind === 'purchase' && payable_until === null;
  const [unconfirmed, deadline] =
    payable_until === null ? [[obsolete(expire)], []] : [[], [obsolete(expireInstallment)]];
  switch (step.trigger) {
    case 'create':
      return [{ kind: review, due_at: now }];
    case 'pass_review':
      if (payable_until === null) return [{ kind: expire, due_at: confirmationDeadline(now, holidays) }];
      return [
        { kind: expireInstallment, due_at: paymentDeadline(payable_until, now) },
        ...(awaitsDebit(step.row) ? [{ kind: debit, due_at: now }] : []),
      ];
    case 'confirm':
      return [...unconfirmed, { kind: awaitsCollection(step.row) ? collect : submit, due_at: now }];
    case 'cancel':
      return [...unconfirmed, ...deadline];
    case 'submit':
      return [
        { kind: status, due_at: new Date(now.getTime() + FIRST_STATUS_MS), attempts: 1 },
        ...(isSwept ? [{ kind: expireUnpaid, due_at: nextUnpaidSweep(now, now) }] : []),
      ];
    case 'succeed':
    case 'fail':
      return [obsolete(status), ...(isSwept ? [obsolete(expireUnpaid)] : []), ...deadline];
    case 'expire_unpaid':
      return [obsolete(status)];
    case 'fail_collection':
      return [obsolete(collect)];
    default:
      return [];
  }
}
