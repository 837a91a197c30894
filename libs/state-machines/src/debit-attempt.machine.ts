import { DEBIT_ATTEMPT_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf, TriggerOf } from './state-machine.ts';

/**
 * One attempt of a debit: begun before its call, and open until it is known whether money came. `unreceived`: the provider reports
 * that it does not know it, so no money is expected; a late call may still bring some.
 */
export const debitAttemptMachine = defineMachine({
  name: 'debit_attempt',
  source: 'DEB-20',
  field: 'state',
  states: DEBIT_ATTEMPT_STATES,
  initial: 'begun',
  creation: { emits: [] },
  transitions: {
    accept: { from: ['begun'], to: 'accepted', emits: [] },
    succeed: { from: ['begun', 'accepted', 'failed', 'unreceived'], to: 'succeeded', emits: [] },
    fail: { from: ['begun', 'accepted'], to: 'failed', emits: [] },
    give_up: { from: ['begun', 'accepted'], to: 'unreceived', emits: [] },
  },
});
export type DebitAttemptState = StateOf<typeof debitAttemptMachine>;
export type DebitAttemptTrigger = TriggerOf<typeof debitAttemptMachine>;
