import { ERASURE_STATES } from '@fundrail/contracts';
import { defineMachine } from './define-machine.ts';
import type { StateOf } from './state-machine.ts';

/**
 * The erasure of a person's data, INV-17. `running`: the investor takes no new orders, and every service overwrites its part. It is
 * postponed when something is going on again before any of them has.
 */
export const erasureMachine = defineMachine({
  name: 'erasure',
  source: 'INV-17',
  field: 'state',
  states: ERASURE_STATES,
  initial: 'scheduled',
  creation: { emits: [] },
  transitions: {
    postpone: { from: ['scheduled', 'running'], to: 'scheduled', emits: [] },
    run: { from: ['scheduled'], to: 'running', emits: [] },
    finish: { from: ['running'], to: 'done', emits: [] },
  },
});
export type ErasureState = StateOf<typeof erasureMachine>;
