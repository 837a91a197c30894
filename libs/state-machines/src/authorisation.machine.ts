import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/**
 * The authorisation of a mandate, MAN-11: the last state of the mandate that its provider reported and that was published to mandates.
 * The provider may report states twice and out of order, and an approval after everything.
 */
export const authorisationMachine = defineMachine({
  name: 'authorisation',
  source: 'MAN-11',
  field: 'state',
  states: ['asked', 'received', 'submitted', 'approved', 'rejected'],
  initial: 'asked',
  creation: { emits: [] },
  transitions: {
    receive: { from: ['asked'], to: 'received', emits: [] },
    submit: { from: ['asked', 'received'], to: 'submitted', emits: [] },
    approve: { from: ['asked', 'received', 'submitted', 'rejected'], to: 'approved', emits: [] },
    reject: { from: ['asked', 'received', 'submitted'], to: 'rejected', emits: [] },
  },
});
export type AuthorisationState = StateOf<typeof authorisationMachine>;
export type AuthorisationTrigger = TriggerOf<typeof authorisationMachine>;
