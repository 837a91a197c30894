import {
  addDays,
  businessDaysAfter,
  istDate,
  istInstant,
  SEEDED_HOLIDAYS,
  type Holidays,
} from '@fundrail/contracts';
import type { Decision } from '@fundrail/state-machines';
import { awaitsCollection } from '../mf-redemption/mf-redemption.ts';
import type { Order } from './order.ts';

/** Kinds of due work of this service; the key is the order's id. */
export const ORDER_DUE = {
  /** Asks the gateway to review, then asks how it stands. */
  review: 'order.review',
  /** Has the mandate of an installment debited, before the gateway gets it. */
  collect: 'order.collect',
  /** Submits to the gateway, then asks how it stands. */
  submit: 'order.submit',
  /** Asks the gateway how a submitted order stands. */
  status: 'order.status',
  /** The same three for installments of plans, of which a million may fall due in one minute: others are not to wait behind them. */
  reviewInstallment: 'installment.review',
  submitInstallment: 'installment.submit',
  installmentStatus: 'installment.status',
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

/** The kinds of what the gateway has to be asked about an order. */
export function gatewayDue({ plan }: Pick<Order, 'plan'>) {
  const { review, submit, status, reviewInstallment, submitInstallment, installmentStatus } = ORDER_DUE;
  return plan === null
    ? { review, submit, status }
    : { review: reviewInstallment, submit: submitInstallment, status: installmentStatus };
}

/** Whether what falls due after a step is counted in business days, so that the holidays have to be known. */
export function countsBusinessDays({ trigger }: Decision<Order>): boolean {
  return trigger === 'pass_review';
}

/** What falls due after a step. `holidays` are looked at where `countsBusinessDays` says so. */
export function dueAfter(step: Decision<Order>, now: Date, holidays: Holidays = SEEDED_HOLIDAYS): OrderDue[] {
  const { review, submit, status } = gatewayDue(step.row);
  switch (step.trigger) {
    case 'create':
      return [{ kind: review, due_at: now }];
    case 'pass_review':
      return [{ kind: ORDER_DUE.expire, due_at: confirmationDeadline(now, holidays) }];
    case 'confirm':
      return [{ kind: awaitsCollection(step.row) ? ORDER_DUE.collect : submit, due_at: now }];
    case 'submit':
      return [
        { kind: status, due_at: new Date(now.getTime() + FIRST_STATUS_MS), attempts: 1 },
        ...unpaidSweep(step.row, now),
      ];
    default:
      return [];
  }
}

/** A redemption takes no money. */
function unpaidSweep({ kind }: Order, now: Date): OrderDue[] {
  return kind === 'purchase' ? [{ kind: ORDER_DUE.expireUnpaid, due_at: nextUnpaidSweep(now, now) }] : [];
}

/** What has no sense any more after a step. */
export function pointlessAfter(step: Decision<Order>): OrderDueKind[] {
  const { status } = gatewayDue(step.row);
  switch (step.trigger) {
    case 'confirm':
    case 'cancel':
      return [ORDER_DUE.expire];
    case 'succeed':
    case 'fail':
      return step.row.kind === 'purchase' ? [status, ORDER_DUE.expireUnpaid] : [status];
    case 'expire_unpaid':
      return [status];
    case 'fail_collection':
      return [ORDER_DUE.collect];
    default:
      return [];
  }
}
