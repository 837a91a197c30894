import type { EventType } from '@fundrail/contracts';
import { apply, type Machine, type StateField } from './state-machine.ts';

/** A row that a machine moves: its state in column `F`, and the number of its last event (EVT-5). */
type MachineRow<S extends string = string, F extends StateField = 'state'> = Readonly<Record<F, S>> & {
  readonly event_seq: number;
};

/** The columns that a decision may change; the state and `event_seq` come only from the machine. */
export type Changes<Row, F extends StateField = StateField> = Partial<Omit<Row, F | 'event_seq'>>;

/** The outcome of one step: the new row, and the events to append with it, in this order. */
export interface Decision<Row, T extends string = string> {
  readonly row: Row;
  readonly trigger: T | 'create';
  /** The state before; null when the row is new. */
  readonly from: string | null;
  readonly events: readonly EventType[];
}

/**
 * One step: the next state and the events come from the table, and `event_seq` grows by the number of events. `changes` are
 * the other columns that the step sets. The given row does not change. Throws `IllegalTransition`.
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

/** A new row: the machine's initial state and the events of its creation. The state and `event_seq` of `row` are ignored. */
export function created<
  S extends string,
  T extends string,
  F extends StateField,
  Row extends MachineRow<NoInfer<S>, NoInfer<F>>,
>(machine: Machine<S, T, F>, row: Row): Decision<Row, never> {
  const events = machine.creation.emits;
  const start = { [machine.field]: machine.initial, event_seq: events.length };
  return { row: { ...row, ...start }, trigger: 'create', from: null, events };
}

/** A new row by another creation of the machine: a skipped installment starts as `cancelled`. */
export function createdAs<
  S extends string,
  T extends string,
  F extends StateField,
  Row extends MachineRow<NoInfer<S>, NoInfer<F>>,
  const Name extends string,
>(machine: Machine<S, T, F>, row: Row, trigger: Name): Decision<Row, Name> {
  const creation = machine.otherCreations?.[trigger];
  if (!creation) throw new Error(`machine ${machine.name} has no creation "${trigger}"`);
  const start = { [machine.field]: creation.to, event_seq: creation.emits.length };
  return { row: { ...row, ...start }, trigger, from: null, events: creation.emits };
}

/** What a change outside the machine sets, and what it publishes. */
interface Amendment<Columns> {
  readonly changes?: Columns;
  readonly events?: readonly EventType[];
}

/**
 * A change that is not a step of the machine but publishes events, such as a refund recorded on a failed payment. The state
 * does not change. The history stores `reason` as the trigger.
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
  { changes, events = [] }: Amendment<Changes<Row, F>>,
): Decision<Row, Reason> {
  const counted = { event_seq: row.event_seq + events.length };
  return { row: { ...row, ...changes, ...counted }, trigger: reason, from: row[machine.field], events };
}
