import type { GatewayPlanStatus } from '@fundrail/providers';
import { canApply, type MfRedemptionPlanTrigger } from '@fundrail/state-machines';
import {
  activate,
  failReview,
  machineOf,
  passReview,
  rejectSubmission,
  submit,
  type FirstDay,
  type Plan,
  type PlanStep,
} from '../plan/plan.ts';

/** A fact of the gateway that contradicts our state. It is logged under this name, and nothing is overwritten. */
type Contradiction =
  | 'review_failed_after_passed'
  | 'review_passed_after_failed'
  | 'registered_without_confirmation'
  | 'registered_after_refusal'
  | 'refused_after_activation';

/** The steps that we have not taken yet, in order, and at most one contradiction, which comes after them. */
interface FactDecision {
  readonly steps: readonly PlanStep[];
  readonly contradiction: Contradiction | null;
}

/**
 * Compares the gateway's facts with the plan and takes the steps that the gateway has taken and we have not. A known fact changes
 * nothing, and a cancelled plan takes no more steps. `first` is the calendar's day of `firstNominal`.
 */
export function applyPlanFacts(
  row: Plan,
  { review, registration }: GatewayPlanStatus,
  { first, now }: { readonly first: FirstDay; readonly now: Date },
): FactDecision {
  if (row.state === 'cancelled') return nothing(null);
  if (review.result === 'failed')
    return may(row, 'fail_review')
      ? { steps: [failReview(row, review.failure_code, now)], contradiction: null }
      : nothing(failedInReview(row) ? null : 'review_failed_after_passed');
  if (failedInReview(row)) return nothing(review.result === 'passed' ? 'review_passed_after_failed' : null);
  const reviewed = review.result === 'passed' && may(row, 'pass_review') ? passReview(row, now) : [];
  const registered = applyRegistration(reviewed.at(-1)?.row ?? row, registration, first, now);
  return { steps: [...reviewed, ...registered.steps], contradiction: registered.contradiction };
}

function applyRegistration(
  row: Plan,
  registration: GatewayPlanStatus['registration'],
  first: FirstDay,
  now: Date,
): FactDecision {
  if (registration.result === 'none') return nothing(null);
  if (row.confirmed_at === null) return nothing('registered_without_confirmation');
  const submitted = may(row, 'submit') ? [submit(row, now)] : [];
  const current = submitted[0]?.row ?? row;
  switch (registration.result) {
    case 'waiting':
      return { steps: submitted, contradiction: null };
    case 'registered':
      if (may(current, 'activate'))
        return { steps: [...submitted, activate(current, first, now)], contradiction: null };
      return nothing(current.state === 'failed' ? 'registered_after_refusal' : null);
    case 'refused':
      if (may(current, 'reject_submission')) {
        const refusal = rejectSubmission(current, registration.failure_code, now);
        return { steps: [...submitted, refusal], contradiction: null };
      }
      return nothing(current.state === 'failed' ? null : 'refused_after_activation');
  }
}

function may(row: Plan, trigger: MfRedemptionPlanTrigger): boolean {
  return canApply(machineOf(row), row.state, trigger);
}

function failedInReview(row: Plan): boolean {
  return row.state === 'failed' && row.review_completed_at === null;
}

function nothing(contradiction: Contradiction | null): FactDecision {
  return { steps: [], contradiction };
}
