import type { EventType } from '@fundrail/contracts';
import { apply } from './state-machine.ts';
import type { Machine, StateField } from './state-machine.ts';

/** A row that a machine moves: its state in column `F`, and the number of its last event (architecture, rule 7). */
export type MachineRow<S extends string = string, F extends StateField = 'state'> = Readonly<Record<F, S>> & {
  readonly event_seq: number;
};

/** The columns that a decision may change by itself; the state and `event_seq` come from the machine alone. */
export type Changes<Row, F extends StateField = StateField> = Partial<Omit<Row, F | 'event_seq'>>;

/** The pure outcome of one step: the row as it shall be, and the events to append, in order, with it. */
export interface Decision<Row, T extends string = string> {
  readonly row: Row;
  readonly trigger: T | 'create';
  /** The state before; null when the row is new. */
  readonly from: string | null;
  readonly events: readonly EventType[];
}

/**
 * Takes the row one step on: next state and events from the table, `event_seq` counted on by as many. `changes` are the
 * other columns that the step sets. The given row stays as it is. Throws `IllegalTransition`.
 */
export function transition<
  S extends string,
  T extends string,
  F extends StateField,
  Row extends MachineRow<NoInfer<S>, NoInfer<F>>,
  Trigger extends NoInfer<T>,
>(machine: Machine<S, T, F>, row: Row, trigger: Trigger, changes: Changes<Row, F>): Decision<Row, Trigger> {
  const from: S = row[machine.field];
  const events = machine.transitions[trigger].emits;
  const moved = { [machine.field]: apply(machine, from, trigger), event_seq: row.event_seq + events.length };
  return { row: { ...row, ...changes, ...moved }, trigger, from, events };
}

/** A new row: the machine's initial state and the events of its creation, whatever `row` says of the two. */
export function created<
  S extends string,
  T extends string,
  F extends StateField,
  Row extends MachineRow<NoInfer<S>, NoInfer<F>>,
>(machine: Machine<S, T, F>, row: Row): Decision<Row, never> {
  const events = machine.creation.emits;
  const begun = { [machine.field]: machine.initial, event_seq: events.length };
  return { row: { ...row, ...begun }, trigger: 'create', from: null, events };
}

/** A new row by the machine's other way of coming into being: a skipped installment begins as `cancelled`. */
export function createdAs<
  S extends string,
  T extends string,
  F extends StateField,
  Row extends MachineRow<NoInfer<S>, NoInfer<F>>,
  const Name extends string,
>(machine: Machine<S, T, F>, row: Row, trigger: Name): Decision<Row, Name> {
  const creation = machine.otherCreations?.[trigger];
  if (!creation) throw new Error(`machine ${machine.name} has no creation "${trigger}"`);
  const begun = { [machine.field]: creation.to, event_seq: creation.emits.length };
  return { row: { ...row, ...begun }, trigger, from: null, events: creation.emits };
}

/**
 * A change that is no step of the machine and still told, such as a refund recorded on a failed payment: the state
 * stays. `trigger` is the word that the history keeps.
 */
export function amended<
  S extends string,
  T extends string,
  F extends StateField,
  Row extends MachineRow<NoInfer<S>, NoInfer<F>>,
  const Reason extends string,
>(
  machine: Machine<S, T, F>,
  row: Row,
  reason: Reason,
  changes: Changes<Row, F>,
  events: readonly EventType[],
): Decision<Row, Reason> {
  const counted = { event_seq: row.event_seq + events.length };
  return { row: { ...row, ...changes, ...counted }, trigger: reason, from: row[machine.field], events };
}
