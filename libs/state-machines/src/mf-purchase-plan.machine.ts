import { MF_PLAN_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';

/**
 * The purchase plan, docs/specification/purchase-plans.md. `.updated`, `.paused`, `.resumed`, `.installment_failed`, `.step_up_held`
 * and `.mandate_unusable` are published without a step, so they are not in this table.
 */
export const mfPurchasePlanMachine = defineMachine({
  name: 'mf_purchase_plan',
  source: 'SIP-6',
  field: 'state',
  states: MF_PLAN_STATES,
  initial: 'created',
  creation: { emits: ['mf_purchase_plan.created'] },
  transitions: {
    pass_review: {
      from: ['created'],
      to: 'review_completed',
      emits: ['mf_purchase_plan.review_completed'],
    },
    fail_review: { from: ['created'], to: 'failed', emits: ['mf_purchase_plan.failed'] },
    confirm: { from: ['review_completed'], to: 'confirmed', emits: ['mf_purchase_plan.confirmed'] },
    submit: { from: ['confirmed'], to: 'submitted', emits: ['mf_purchase_plan.submitted'] },
    activate: { from: ['submitted'], to: 'active', emits: ['mf_purchase_plan.activated'] },
    reject_submission: { from: ['submitted'], to: 'failed', emits: ['mf_purchase_plan.failed'] },
    complete: { from: ['active'], to: 'completed', emits: ['mf_purchase_plan.completed'] },
    cancel: {
      from: ['created', 'review_completed', 'confirmed', 'submitted', 'active'],
      to: 'cancelled',
      emits: ['mf_purchase_plan.cancelled'],
    },
    auto_cancel: { from: ['active'], to: 'cancelled', emits: ['mf_purchase_plan.cancelled'] },
  },
});
