import { MANDATE_STATUSES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/** The debit mandate, docs/specification/mandates.md. A failed or abandoned authorisation is not a step: the mandate stays `CREATED`. */
export const mandateMachine = defineMachine({
  name: 'mandate',
  source: 'MAN-6',
  field: 'mandate_status',
  states: MANDATE_STATUSES,
  initial: 'CREATED',
  creation: { emits: ['mandate.created'] },
  transitions: {
    receive: { from: ['CREATED'], to: 'RECEIVED', emits: ['mandate.received'] },
    submit: { from: ['CREATED'], to: 'SUBMITTED', emits: ['mandate.submitted'] },
    approve: { from: ['CREATED', 'RECEIVED', 'SUBMITTED'], to: 'APPROVED', emits: ['mandate.approved'] },
    reject: { from: ['CREATED', 'RECEIVED', 'SUBMITTED'], to: 'REJECTED', emits: ['mandate.rejected'] },
    pause: { from: ['APPROVED'], to: 'PAUSED', emits: ['mandate.paused'] },
    resume: { from: ['PAUSED'], to: 'APPROVED', emits: ['mandate.resumed'] },
    modify: { from: ['APPROVED'], to: 'APPROVED', emits: ['mandate.modified'] },
    cancel: { from: ['APPROVED', 'PAUSED'], to: 'CANCELLED', emits: ['mandate.cancelled'] },
    expire: { from: ['APPROVED', 'PAUSED'], to: 'EXPIRED', emits: ['mandate.expired'] },
  },
});
export type MandateStatus = StateOf<typeof mandateMachine>;
export type MandateTrigger = TriggerOf<typeof mandateMachine>;
