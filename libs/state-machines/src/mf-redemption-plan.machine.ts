import { MF_PLAN_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/** The redemption plan, docs/specification/withdrawal-plans.md. `.mandate_unusable` is published without a step, so it is not in this table. */
export const mfRedemptionPlanMachine = defineMachine({
  name: 'mf_redemption_plan',
  source: 'PLAN-6',
  field: 'state',
  states: MF_PLAN_STATES,
  initial: 'created',
  creation: { emits: ['mf_redemption_plan.created'] },
  transitions: {
    pass_review: {
      from: ['created'],
      to: 'review_completed',
      emits: ['mf_redemption_plan.review_completed'],
    },
    fail_review: { from: ['created'], to: 'failed', emits: ['mf_redemption_plan.failed'] },
    confirm: { from: ['review_completed'], to: 'confirmed', emits: ['mf_redemption_plan.confirmed'] },
    submit: { from: ['confirmed'], to: 'submitted', emits: ['mf_redemption_plan.submitted'] },
    activate: { from: ['submitted'], to: 'active', emits: ['mf_redemption_plan.activated'] },
    reject_submission: { from: ['submitted'], to: 'failed', emits: ['mf_redemption_plan.failed'] },
    complete: { from: ['active'], to: 'completed', emits: ['mf_redemption_plan.completed'] },
    cancel: {
      from: ['created', 'review_completed', 'confirmed', 'submitted', 'active'],
      to: 'cancelled',
      emits: ['mf_redemption_plan.cancelled'],
    },
  },
});
export type MfRedemptionPlanState = StateOf<typeof mfRedemptionPlanMachine>;
export type MfRedemptionPlanTrigger = TriggerOf<typeof mfRedemptionPlanMachine>;
