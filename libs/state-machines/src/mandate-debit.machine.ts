import { MANDATE_DEBIT_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/**
 * The debit of a mandate, docs/specification/debits.md. It is admitted with its payment and waits for the order; UPI Autopay then has
 * its notice sent. At most one attempt is open. `end` follows its payment, which has ended for another reason or was refunded.
 */
export const mandateDebitMachine = defineMachine({
  name: 'mandate_debit',
  source: 'DEB-19',
  field: 'state',
  states: MANDATE_DEBIT_STATES,
  initial: 'admitted',
  creation: { emits: [] },
  transitions: {
    notify: { from: ['admitted', 'notifying', 'planned'], to: 'notifying', emits: [] },
    plan: { from: ['admitted', 'notifying', 'planned', 'attempting'], to: 'planned', emits: [] },
    reschedule: {
      from: ['admitted', 'notifying', 'planned', 'attempting'],
      to: 'planned',
      emits: ['mandate_debit.planned'],
    },
    begin_attempt: { from: ['planned'], to: 'attempting', emits: [] },
    accept: { from: ['attempting'], to: 'attempting', emits: ['mandate_debit.submitted'] },
    succeed: { from: ['planned', 'attempting'], to: 'succeeded', emits: ['mandate_debit.succeeded'] },
    fail: {
      from: ['admitted', 'notifying', 'planned', 'attempting'],
      to: 'failed',
      emits: ['mandate_debit.failed'],
    },
    cancel: {
      from: ['admitted', 'notifying', 'planned'],
      to: 'cancelled',
      emits: ['mandate_debit.cancelled'],
    },
    end: { from: ['admitted', 'notifying', 'planned', 'attempting', 'succeeded'], to: 'failed', emits: [] },
    release: { from: ['admitted'], to: 'released', emits: [] },
  },
});
export type MandateDebitState = StateOf<typeof mandateDebitMachine>;
export type MandateDebitTrigger = TriggerOf<typeof mandateDebitMachine>;
