import type { EventType } from '@fundrail/contracts';

/** The column that holds a row's state, by its wire name: `state` in `/v2`, `status` for payments, `mandate_status` for mandates. */
export type StateField = 'state' | 'status' | 'mandate_status';

/** A named step between states. `emits` are the events that the step announces, in this order. */
export interface Transition<S extends string> {
  readonly from: readonly S[];
  readonly to: S;
  readonly emits: readonly EventType[];
}

/** Another way to create an object, with its own first state: a skipped installment starts as `cancelled`. */
interface Creation<S extends string> {
  readonly to: S;
  readonly emits: readonly EventType[];
}

/**
 * A state machine as data: the table is the specification, and every function here only reads it.
 * `S` are the states, `T` the triggers, `F` is the state column of the rows.
 */
export interface Machine<S extends string, T extends string, F extends StateField = StateField> {
  /** The aggregate's wire name; its events start with it. */
  readonly name: string;
  /** The rule that names its states, for the generated documentation. */
  readonly source: string;
  readonly field: F;
  readonly states: readonly S[];
  /** The state after `create`. */
  readonly initial: S;
  readonly creation: { readonly emits: readonly EventType[] };
  readonly otherCreations?: Readonly<Record<string, Creation<S>>>;
  readonly transitions: Readonly<Record<T, Transition<S>>>;
}

/** The states of a machine, as a type. */
export type StateOf<M> = M extends Machine<infer S, string> ? S : never;
/** The triggers of a machine, as a type; `create` is not one of them. */
export type TriggerOf<M> = M extends { readonly transitions: infer R } ? Extract<keyof R, string> : never;

/** A step that the object's state forbids. On the wire: 409 `ILLEGAL_TRANSITION` with this message (ERR-6). */
export class IllegalTransition extends Error {
  readonly machine: string;
  readonly from: string;
  readonly trigger: string;
  readonly to: string;

  constructor(machine: string, from: string, trigger: string, to: string) {
    super(`${machine} cannot go from "${from}" to "${to}": "${trigger}" is not allowed in state "${from}"`);
    this.name = 'IllegalTransition';
    this.machine = machine;
    this.from = from;
    this.trigger = trigger;
    this.to = to;
  }
}

/** Whether the table has the step. */
export function canApply<S extends string, T extends string>(
  machine: Machine<S, T>,
  state: NoInfer<S>,
  trigger: NoInfer<T>,
): boolean {
  return machine.transitions[trigger].from.includes(state);
}

/** The only way to a next state: no jump, no silent no-op. Throws `IllegalTransition`. */
export function apply<S extends string, T extends string>(
  machine: Machine<S, T>,
  state: NoInfer<S>,
  trigger: NoInfer<T>,
): S {
  const { to } = machine.transitions[trigger];
  if (!canApply(machine, state, trigger)) throw new IllegalTransition(machine.name, state, trigger, to);
  return to;
}
