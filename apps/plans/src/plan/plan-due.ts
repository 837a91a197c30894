import { addDays, istInstant } from '@fundrail/contracts';
import { obsolete, type DueChange } from '@fundrail/service-kit/aggregate';
import { GENERATION_TIME } from '../calendar/calendar-rows.ts';
import type { Plan, PlanStep } from './plan.ts';

/**
 * Kinds of due work of this service. The key is the plan's id; for `publish` it is the redemption's. Installments have their own
 * lane.
 */
export const PLAN_DUE = {
  /** Asks the gateway to review the plan, then asks for the result. */
  review: 'plan.review',
  /** Asks the gateway to register the plan, then asks for the result. */
  register: 'plan.register',
  /** Asks the gateway for the state of a submitted plan. */
  status: 'plan.status',
  /** Checks whether the mandate can collect the next installment. */
  checkMandate: 'plan.check_mandate',
  /** The same at once, because the plan or its mandate has changed. Publishes what is new. */
  recheckMandate: 'plan.recheck_mandate',
  /** Publishes a drawn installment, because orders may not have stored it. */
  publish: 'installment.tell',
} as const;
/** The delay of the first status question after a submission. Normally the gateway's callback comes first (GATE-3). */
const FIRST_STATUS_MS = 5_000;
/** How long before an installment's date its mandate is checked (PLAN-25). */
export const MANDATE_CHECK_DAYS = 3;

/** Ends an INSERT of mandate checks. It replaces a check scheduled for another date of the plan, even one that is running. */
export const CHECK_AGAIN = `ON CONFLICT (kind, key) DO UPDATE
        SET due_at = excluded.due_at, attempts = 0, lease_token = NULL, leased_until = NULL`;

/** When the mandate is checked for an installment of that date. */
export function mandateCheckAt(date: string): Date {
  return istInstant(addDays(date, -MANDATE_CHECK_DAYS), GENERATION_TIME);
}

/** The due work after a step. */
export function dueAfter({ row, trigger }: PlanStep, now: Date): DueChange[] {
  const { review, register, status, checkMandate } = PLAN_DUE;
  switch (trigger) {
    case 'create':
      return [{ kind: review, due_at: now }];
    case 'confirm':
      return [{ kind: register, due_at: now }];
    case 'submit':
      return [{ kind: status, due_at: new Date(now.getTime() + FIRST_STATUS_MS), attempts: 1 }];
    case 'activate':
      return [obsolete(status), ...checksOf(row, now)];
    case 'reject_submission':
      return [obsolete(status)];
    case 'change_mandate':
      return checksOf(row, now);
    case 'cancel':
    case 'auto_cancel':
      return [review, register, status, checkMandate].map(obsolete);
    case 'complete':
      return [obsolete(checkMandate)];
    default:
      return [];
  }
}

/** A purchase plan's mandate is checked at once too: a `daily` plan has no other check, and those of others may be over (SIP-15). */
function checksOf({ kind, payment_source, next_date, frequency }: Plan, now: Date): DueChange[] {
  if (payment_source === null || next_date === null) return [];
  const { checkMandate, recheckMandate } = PLAN_DUE;
  const due_at = mandateCheckAt(next_date);
  if (kind === 'redemption') return [{ kind: checkMandate, due_at }];
  const isToCome = frequency !== 'daily' && due_at > now;
  return [
    { kind: recheckMandate, due_at: now },
    isToCome ? { kind: checkMandate, due_at } : obsolete(checkMandate),
  ];
}
