import { addDays, businessDaysAfter, istDate, istInstant } from '@fundrail/contracts';
import type { Decision } from '@fundrail/state-machines';
import type { MfOrder } from './order.entity.ts';

/** Kinds of due work of this service; the key is the order's id. */
export const ORDER_DUE = {
  /** Asks the gateway to review, then asks how it stands. */
  review: 'order.review',
  /** Submits to the gateway, then asks how it stands. */
  submit: 'order.submit',
  /** Asks the gateway how a submitted order stands. */
  status: 'order.status',
  /** `order_expiry`: no confirmation in time. */
  expire: 'order.expire',
  /** `payment_url_unused`: submitted and never paid. */
  expireUnpaid: 'order.expire_unpaid',
} as const;
export type OrderDueKind = (typeof ORDER_DUE)[keyof typeof ORDER_DUE];

export interface OrderDue {
  readonly kind: OrderDueKind;
  readonly due_at: Date;
  /** How much of the back-off is behind it; 0 unless told. */
  readonly attempts?: number;
}

/** Business days without a confirmation; the order ends as the next one begins (contract §2, §10 "Orders"). */
const DAYS_TO_CONFIRM = 7;
/** The daily sweep of unpaid orders (contract §2), IST. */
const SWEEP_TIME = '23:00';
const SWEEP_LEAST_AGE_MS = 30 * 60_000;
/** The first question after a submission; the gateway's callback normally comes first (contract §2). */
const FIRST_STATUS_MS = 5_000;

/** When an order that was reviewed at that time and is not confirmed ends. */
export function confirmationDeadline(reviewCompletedAt: Date): Date {
  return istInstant(businessDaysAfter(istDate(reviewCompletedAt), DAYS_TO_CONFIRM + 1));
}

/** The first 23:00 IST that is at least 30 minutes after the submission and not before `from`. */
export function nextUnpaidSweep(submittedAt: Date, from: Date): Date {
  const least = Math.max(submittedAt.getTime() + SWEEP_LEAST_AGE_MS, from.getTime());
  const today = istDate(new Date(least));
  const sweep = istInstant(today, SWEEP_TIME);
  return sweep.getTime() >= least ? sweep : istInstant(addDays(today, 1), SWEEP_TIME);
}

/** What falls due after a step. */
export function dueAfter(step: Decision<Readonly<MfOrder>>, now: Date): OrderDue[] {
  switch (step.trigger) {
    case 'create':
      return [{ kind: ORDER_DUE.review, due_at: now }];
    case 'pass_review':
      return [{ kind: ORDER_DUE.expire, due_at: confirmationDeadline(now) }];
    case 'confirm':
      return [{ kind: ORDER_DUE.submit, due_at: now }];
    case 'submit':
      return [
        { kind: ORDER_DUE.status, due_at: new Date(now.getTime() + FIRST_STATUS_MS), attempts: 1 },
        { kind: ORDER_DUE.expireUnpaid, due_at: nextUnpaidSweep(now, now) },
      ];
    default:
      return [];
  }
}

/** What has no sense any more after a step. */
export function pointlessAfter(step: Decision<Readonly<MfOrder>>): OrderDueKind[] {
  switch (step.trigger) {
    case 'confirm':
    case 'cancel':
      return [ORDER_DUE.expire];
    case 'succeed':
    case 'fail':
      return [ORDER_DUE.status, ORDER_DUE.expireUnpaid];
    case 'expire_unpaid':
      return [ORDER_DUE.status];
    default:
      return [];
  }
}
