import { PAYMENT_STATUSES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/**
 * The payment, PAY-24. Each transition publishes its own event first and `payment.updated` after it. The creation publishes
 * only its own event; issuing the URI and sending the collect publish only `payment.updated`.
 */
export const paymentMachine = defineMachine({
  name: 'payment',
  source: 'PAY-23',
  field: 'status',
  states: PAYMENT_STATUSES,
  initial: 'PENDING',
  creation: { emits: ['payment.pending'] },
  transitions: {
    issue_uri: { from: ['PENDING'], to: 'PENDING', emits: ['payment.updated'] },
    send_collect: { from: ['PENDING'], to: 'PENDING', emits: ['payment.updated'] },
    submit: { from: ['PENDING'], to: 'SUBMITTED', emits: ['payment.submitted', 'payment.updated'] },
    succeed: { from: ['PENDING', 'SUBMITTED'], to: 'SUCCESS', emits: ['payment.success', 'payment.updated'] },
    fail: { from: ['PENDING', 'SUBMITTED'], to: 'FAILED', emits: ['payment.failed', 'payment.updated'] },
    expire: { from: ['PENDING'], to: 'FAILED', emits: ['payment.failed', 'payment.updated'] },
    cancel: { from: ['PENDING'], to: 'FAILED', emits: ['payment.failed', 'payment.updated'] },
    start_transfer: { from: ['SUCCESS'], to: 'INITIATED', emits: ['payment.initiated', 'payment.updated'] },
    settle: { from: ['INITIATED'], to: 'APPROVED', emits: ['payment.approved', 'payment.updated'] },
    reject_transfer: {
      from: ['SUCCESS', 'INITIATED'],
      to: 'REJECTED',
      emits: ['payment.rejected', 'payment.updated'],
    },
  },
});
export type PaymentStatus = StateOf<typeof paymentMachine>;
export type PaymentTrigger = TriggerOf<typeof paymentMachine>;
