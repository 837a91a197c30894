import type { GatewayOrderStatus } from '@fundrail/providers';
import type { MfOrderState } from '@fundrail/contracts';
import { canApply } from '@fundrail/state-machines';
import { awaitsCollection, confirmInstallment, payOut } from '../mf-redemption/mf-redemption.ts';
import {
  fail,
  failReview,
  machineOf,
  passReview,
  rejectSubmission,
  reverse,
  submit,
  succeed,
  type Order,
  type OrderStep,
  type OrderTrigger,
} from '../order/order.ts';

/** A fact of the gateway that contradicts our state. It is logged under this name, and nothing is overwritten (CALL-3). */
type Contradiction =
  | 'review_failed_after_passed'
  | 'review_passed_after_failed'
  | 'submitted_without_confirmation'
  | 'submitted_without_collection'
  | 'accepted_after_refusal'
  | 'refused_after_submission'
  | 'order_reference_changed'
  | 'outcome_without_submission'
  | 'success_after_end'
  | 'failure_after_success'
  | 'payout_reference_changed';

/** The steps that we have not taken yet, in order, and at most one contradiction, which comes after them. */
interface FactDecision {
  readonly steps: readonly OrderStep[];
  readonly contradiction: Contradiction | null;
}

type Finding = OrderStep | Contradiction | null;

/**
 * Compares the gateway's facts with the order and takes the steps that the gateway has taken and we have not. A known fact changes
 * nothing, and neither does an older one: `waiting` and `none` never contradict.
 */
export function applyGatewayFacts(row: Order, facts: GatewayOrderStatus, now: Date): FactDecision {
  const steps: OrderStep[] = [];
  let current = row;
  for (const compare of [
    compareReview,
    confirmAutomatically,
    compareSubmission,
    compareOutcome,
    comparePayout,
    compareReversal,
    compareSecondPayout,
  ]) {
    const finding = compare(current, facts, now);
    if (typeof finding === 'string') return { steps, contradiction: finding };
    if (!finding) continue;
    steps.push(finding);
    current = finding.row;
  }
  return { steps, contradiction: null };
}

function may(row: Order, trigger: OrderTrigger): boolean {
  return canApply(machineOf(row), row.state, trigger);
}

function compareReview(row: Order, { review }: GatewayOrderStatus, now: Date): Finding {
  const failedInReview = row.state === 'failed' && row.review_completed_at === null;
  switch (review.result) {
    case 'waiting':
      return null;
    case 'passed':
      if (may(row, 'pass_review')) return passReview(row, now, review.scheme_category);
      return failedInReview ? 'review_passed_after_failed' : null;
    case 'failed':
      if (may(row, 'fail_review')) return failReview(row, review.failure_code, now);
      return failedInReview ? null : 'review_failed_after_passed';
  }
}

/** Confirms an installment under the plan's consent, together with its review (PLAN-18). */
function confirmAutomatically(row: Order, _: GatewayOrderStatus, now: Date): Finding {
  return confirmInstallment(row, now);
}

function compareSubmission(row: Order, { submission }: GatewayOrderStatus, now: Date): Finding {
  if (submission.result === 'none') return null;
  if (row.confirmed_at === null) return 'submitted_without_confirmation';
  // Its money is still being collected, so we have sent nothing. The gateway's submission must be wrong.
  if (awaitsCollection(row)) return 'submitted_without_collection';
  if (submission.result === 'accepted') {
    if (may(row, 'submit')) return submit(row, submission.order_reference, now);
    if (row.submitted_at === null) return 'accepted_after_refusal';
    return row.order_reference === submission.order_reference ? null : 'order_reference_changed';
  }
  if (may(row, 'reject_submission')) return rejectSubmission(row, submission.failure_code, now);
  return row.submitted_at === null ? null : 'refused_after_submission';
}

function compareOutcome(row: Order, { outcome }: GatewayOrderStatus, now: Date): Finding {
  switch (outcome.result) {
    case 'waiting':
      return null;
    case 'successful':
    case 'reversed': {
      // A reversal that comes first implies the success before it, but without its details.
      const details = outcome.result === 'successful' ? outcome.details : null;
      if (may(row, 'succeed')) return succeed(row, details, now);
      return outcomeContradiction(row, ['successful', 'reversed'], 'success_after_end');
    }
    case 'failed':
      if (may(row, 'fail')) return fail(row, outcome.failure_code, now);
      return outcomeContradiction(row, ['failed', 'cancelled'], 'failure_after_success');
  }
}

/** The contradiction in an outcome that causes no step; null when the order ended that way already. */
function outcomeContradiction(
  row: Order,
  agreeing: readonly MfOrderState[],
  contradiction: Contradiction,
): Contradiction | null {
  if (agreeing.includes(row.state)) return null;
  return may(row, 'fail_review') || may(row, 'confirm') || may(row, 'submit')
    ? 'outcome_without_submission'
    : contradiction;
}

function comparePayout(row: Order, { payout }: GatewayOrderStatus): Finding {
  return payout ? payOut(row, payout) : null;
}

/** Last, because it is never a step: money may have gone out twice, and a person has to see that (ORD-37). */
function compareSecondPayout(row: Order, { payout }: GatewayOrderStatus): Finding {
  const isOther = payout && row.paid_out_at !== null && row.payout_reference !== payout.reference;
  return isOther ? 'payout_reference_changed' : null;
}

function compareReversal(row: Order, { outcome }: GatewayOrderStatus, now: Date): Finding {
  return outcome.result === 'reversed' && may(row, 'reverse')
    ? reverse(row, outcome.failure_code, now)
    : null;
}
