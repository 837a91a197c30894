import { MF_ORDER_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/**
 * The purchase order, docs/specification/orders.md. An installment of a plan inside a skip range is created as `cancelled`. Conditions and effects of each step are
 * the decisions of the orders service.
 */
export const mfPurchaseMachine = defineMachine({
  name: 'mf_purchase',
  source: 'ORD-17',
  field: 'state',
  states: MF_ORDER_STATES,
  initial: 'under_review',
  creation: { emits: ['mf_purchase.created'] },
  otherCreations: {
    create_skipped: { to: 'cancelled', emits: ['mf_purchase.cancelled'] },
  },
  transitions: {
    pass_review: { from: ['under_review'], to: 'pending', emits: ['mf_purchase.review_completed'] },
    fail_review: { from: ['under_review'], to: 'failed', emits: ['mf_purchase.failed'] },
    record_consent: { from: ['pending'], to: 'pending', emits: ['mf_purchase.consent_recorded'] },
    confirm: { from: ['pending'], to: 'confirmed', emits: ['mf_purchase.confirmed'] },
    cancel: { from: ['pending'], to: 'cancelled', emits: ['mf_purchase.cancelled'] },
    expire: { from: ['pending'], to: 'failed', emits: ['mf_purchase.failed'] },
    submit: { from: ['confirmed'], to: 'submitted', emits: ['mf_purchase.submitted'] },
    reject_submission: { from: ['confirmed'], to: 'failed', emits: ['mf_purchase.failed'] },
    succeed: { from: ['submitted'], to: 'successful', emits: ['mf_purchase.successful'] },
    fail: { from: ['submitted'], to: 'failed', emits: ['mf_purchase.failed'] },
    expire_unpaid: { from: ['submitted'], to: 'failed', emits: ['mf_purchase.failed'] },
    reverse: { from: ['successful'], to: 'reversed', emits: ['mf_purchase.reversed'] },
  },
});
export type MfPurchaseState = StateOf<typeof mfPurchaseMachine>;
export type MfPurchaseTrigger = TriggerOf<typeof mfPurchaseMachine>;
