import { defineMachine } from './define-machine.ts';
import type { StateOf } from './state-machine.ts';

/**
 * The checkout of a payment, on the hosted page or by an SDK, PAGE-2. `opened`: one browser has used up the page's token. `ending` and
 * `closed` as for a UPI request.
 */
export const checkoutMachine = defineMachine({
  name: 'checkout',
  source: 'PAGE-2',
  field: 'state',
  states: ['offered', 'opened', 'ending', 'closed'],
  initial: 'offered',
  creation: { emits: [] },
  transitions: {
    open: { from: ['offered'], to: 'opened', emits: [] },
    end: { from: ['offered', 'opened'], to: 'ending', emits: [] },
    close: { from: ['offered', 'opened', 'ending'], to: 'closed', emits: [] },
  },
});
export type CheckoutState = StateOf<typeof checkoutMachine>;
