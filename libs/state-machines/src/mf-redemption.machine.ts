import { MF_ORDER_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { TriggerOf } from './state-machine.ts';

/**
 * The redemption order, docs/specification/orders.md: the purchase's steps without `expire_unpaid`, and `fail_collection` for an
 * installment whose mandate debit failed. An installment inside a skip range is created as `cancelled` (ORD-26).
 * `.collection_returned` and `.paid_out` are published without a step, so they are not in this table.
 */
export const mfRedemptionMachine = defineMachine({
  name: 'mf_redemption',
  source: 'ORD-26',
  field: 'state',
  states: MF_ORDER_STATES,
  initial: 'under_review',
  creation: { emits: ['mf_redemption.created'] },
  otherCreations: {
    create_skipped: { to: 'cancelled', emits: ['mf_redemption.cancelled'] },
  },
  transitions: {
    pass_review: { from: ['under_review'], to: 'pending', emits: ['mf_redemption.review_completed'] },
    fail_review: { from: ['under_review'], to: 'failed', emits: ['mf_redemption.failed'] },
    record_consent: { from: ['pending'], to: 'pending', emits: ['mf_redemption.consent_recorded'] },
    confirm: { from: ['pending'], to: 'confirmed', emits: ['mf_redemption.confirmed'] },
    cancel: { from: ['pending'], to: 'cancelled', emits: ['mf_redemption.cancelled'] },
    expire: { from: ['pending'], to: 'failed', emits: ['mf_redemption.failed'] },
    submit: { from: ['confirmed'], to: 'submitted', emits: ['mf_redemption.submitted'] },
    reject_submission: { from: ['confirmed'], to: 'failed', emits: ['mf_redemption.failed'] },
    fail_collection: { from: ['confirmed'], to: 'failed', emits: ['mf_redemption.failed'] },
    succeed: { from: ['submitted'], to: 'successful', emits: ['mf_redemption.successful'] },
    fail: { from: ['submitted'], to: 'failed', emits: ['mf_redemption.failed'] },
    reverse: { from: ['successful'], to: 'reversed', emits: ['mf_redemption.reversed'] },
  },
});
export type MfRedemptionTrigger = TriggerOf<typeof mfRedemptionMachine>;
