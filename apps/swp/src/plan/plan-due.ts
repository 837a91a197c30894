import { addDays, istInstant } from '@fundrail/contracts';
import { GENERATION_TIME } from '../calendar/calendar-rows.ts';
import type { Plan, PlanStep } from './plan.ts';

/** Kinds of due work of this service; the key is the plan's id, of `tell` the redemption's. Installments have a lane of their own. */
export const PLAN_DUE = {
  /** Asks the gateway to review, then asks how it stands. */
  review: 'plan.review',
  /** Asks the gateway to register, then asks how it stands. */
  register: 'plan.register',
  /** Asks the gateway how a submitted plan stands. */
  status: 'plan.status',
  /** Looks whether the mandate can collect the next installment. */
  checkMandate: 'plan.check_mandate',
  /** Tells orders of a drawn installment, should it not know of it. */
  tell: 'installment.tell',
} as const;
export type PlanDueKind = (typeof PLAN_DUE)[keyof typeof PLAN_DUE];

export interface PlanDue {
  readonly kind: PlanDueKind;
  readonly due_at: Date;
  readonly attempts?: number;
}

/** The first question after a submission; the gateway's callback normally comes first (contract §2). */
const FIRST_STATUS_MS = 5_000;
/** How long before an installment's date its mandate is looked at (contract §5). */
export const MANDATE_CHECK_DAYS = 3;

/** Ends an INSERT of looks at mandates: what was scheduled for another date of the plan gives way, also when it runs just now. */
export const CHECK_AGAIN = `ON CONFLICT (kind, key) DO UPDATE
        SET due_at = excluded.due_at, attempts = 0, lease_token = NULL, leased_until = NULL`;

/** When the mandate is looked at before an installment of that date. */
export function mandateCheckAt(date: string): Date {
  return istInstant(addDays(date, -MANDATE_CHECK_DAYS), GENERATION_TIME);
}

/** What falls due after a step. */
export function dueAfter({ row, trigger }: PlanStep, now: Date): PlanDue[] {
  switch (trigger) {
    case 'create':
      return [{ kind: PLAN_DUE.review, due_at: now }];
    case 'confirm':
      return [{ kind: PLAN_DUE.register, due_at: now }];
    case 'submit':
      return [{ kind: PLAN_DUE.status, due_at: new Date(now.getTime() + FIRST_STATUS_MS), attempts: 1 }];
    case 'activate':
      return checkOf(row);
    default:
      return [];
  }
}

function checkOf({ payment_source, next_date }: Plan): PlanDue[] {
  if (payment_source === null || next_date === null) return [];
  return [{ kind: PLAN_DUE.checkMandate, due_at: mandateCheckAt(next_date) }];
}

/** What has no sense any more after a step. */
export function pointlessAfter({ trigger }: PlanStep): PlanDueKind[] {
  switch (trigger) {
    case 'activate':
    case 'reject_submission':
      return [PLAN_DUE.status];
    case 'cancel':
      return [PLAN_DUE.review, PLAN_DUE.register, PLAN_DUE.status, PLAN_DUE.checkMandate];
    case 'complete':
      return [PLAN_DUE.checkMandate];
    default:
      return [];
  }
}
