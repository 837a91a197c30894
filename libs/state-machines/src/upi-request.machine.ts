import { defineMachine } from './define-machine.ts';
import type { StateOf } from './state-machine.ts';

/**
 * A UPI URI or a collect request, PAY-32. `waiting`: for its orders. `requested`: the intent before the provider's call; from then on the
 * investor may be able to pay. `sent`: the provider has accepted it. `ending`: the intent to end it, before the cancel call. `closed`: the
 * provider takes no more money for it.
 */
export const upiRequestMachine = defineMachine({
  name: 'upi_request',
  source: 'PAY-32',
  field: 'state',
  states: ['waiting', 'requested', 'sent', 'ending', 'closed'],
  initial: 'waiting',
  creation: { emits: [] },
  // An authorisation waits for no order: its creation is the intent.
  otherCreations: { create_requested: { to: 'requested', emits: [] } },
  transitions: {
    request: { from: ['waiting'], to: 'requested', emits: [] },
    send: { from: ['requested'], to: 'sent', emits: [] },
    end: { from: ['requested', 'sent'], to: 'ending', emits: [] },
    close: { from: ['waiting', 'requested', 'sent', 'ending'], to: 'closed', emits: [] },
  },
});
export type UpiRequestState = StateOf<typeof upiRequestMachine>;
