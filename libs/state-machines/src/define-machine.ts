import type { Machine, StateField, Transition } from './state-machine.ts';

/** The form in which a table is written. `NoInfer` makes `states` the only source of state names: any other does not compile. */
type Table<S extends string, T extends string, F extends StateField> = Machine<NoInfer<S>, T, F> & {
  readonly states: readonly S[];
};

/**
 * Declares a machine. Throws when its module loads if the table has a fault: an unreachable state, a state listed twice, a
 * trigger that no state allows, or an event of another aggregate.
 */
export function defineMachine<const S extends string, const T extends string, const F extends StateField>(
  table: Table<S, T, F>,
): Machine<S, T, F> {
  checkTable(table);
  return table;
}

type AnyMachine<S extends string> = Machine<S, string>;

function checkTable<S extends string>(machine: AnyMachine<S>): void {
  const faults = [
    ...repeated(machine.states).map((state) => `state "${state}" is listed twice`),
    ...unreachable(machine).map((state) => `state "${state}" is unreachable`),
    ...neverAllowed(machine).map((trigger) => `trigger "${trigger}" is allowed in no state`),
    ...foreignEvents(machine).map((event) => `event "${event}" is not of ${machine.name}`),
  ];
  if (faults.length > 0) throw new Error(`machine ${machine.name}: ${faults.join('; ')}`);
}

function repeated(states: readonly string[]): string[] {
  return states.filter((state, index) => states.indexOf(state) !== index);
}

function unreachable<S extends string>(machine: AnyMachine<S>): S[] {
  const reached = new Set<S>([machine.initial, ...creations(machine).map((creation) => creation.to)]);
  const steps = Object.values<Transition<S>>(machine.transitions);
  for (let before = -1; before !== reached.size;) {
    before = reached.size;
    for (const step of steps) if (step.from.some((state) => reached.has(state))) reached.add(step.to);
  }
  return machine.states.filter((state) => !reached.has(state));
}

function neverAllowed(machine: AnyMachine<string>): string[] {
  return Object.entries(machine.transitions).flatMap(([trigger, step]) =>
    step.from.length === 0 ? [trigger] : [],
  );
}

function foreignEvents(machine: AnyMachine<string>): string[] {
  const steps = [machine.creation, ...creations(machine), ...Object.values(machine.transitions)];
  return steps.flatMap((step) => step.emits).filter((event) => !event.startsWith(`${machine.name}.`));
}

function creations<S extends string>(machine: AnyMachine<S>) {
  return Object.values(machine.otherCreations ?? {});
}
