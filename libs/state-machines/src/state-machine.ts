import type { EventType } from '@fundrail/contracts';

/** A named step between states. `emits` are the events that the step announces, in this order. */
export interface Transition<S extends string> {
  readonly from: readonly S[];
  readonly to: S;
  readonly emits: readonly EventType[];
}
