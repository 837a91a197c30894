import { isEventType } from '@fundrail/contracts';
import { MACHINES } from '@fundrail/state-machines';
import { GENERATED, table } from './markdown.ts';

type AnyMachine = (typeof MACHINES)[number];

/** One creation or transition: a line of a machine's table. */
interface Step {
  readonly from: readonly string[];
  readonly trigger: string;
  readonly to: string;
  readonly emits: readonly string[];
}

/** `docs/states.md`: a diagram and a table of each machine. */
export function statesPage(): string {
  return [
    '# States',
    GENERATED,
    'Every object with states has one state machine. A step that is not in its table is refused with 409 `ILLEGAL_TRANSITION`, which names both states. In a diagram the dot is the start, and a state from which nothing leads has a second border.',
    'The tables are `libs/state-machines/src/*.machine.ts`.',
    table(
      ['Machine', 'Specified in', 'Built'],
      MACHINES.map((machine) => [
        `[${machine.name}](#${machine.name})`,
        machine.source,
        isBuilt(machine) ? 'yes' : 'not yet',
      ]),
    ),
    ...MACHINES.flatMap(section),
  ].join('\n\n');
}

function section(machine: AnyMachine): string[] {
  const steps = stepsOf(machine);
  return [
    `## ${machine.name}`,
    isBuilt(machine)
      ? `Column \`${machine.field}\`.`
      : `Column \`${machine.field}\`. Not built yet: the table is specified and tested, its events are not in the catalogue.`,
    diagram(machine, steps),
    table(
      ['From', 'Trigger', 'To', 'Events, in this order'],
      steps.map(({ from, trigger, to, emits }) => [
        from.join(', ') || '—',
        `\`${trigger}\``,
        to,
        codes(emits),
      ]),
    ),
    `Final: ${finalStates(machine).join(', ')}.`,
  ];
}

/** A machine is built when its steps have events in the catalogue. */
function isBuilt(machine: AnyMachine): boolean {
  return stepsOf(machine).every(({ emits }) => emits.every(isEventType));
}

function stepsOf({ initial, creation, otherCreations = {}, transitions }: AnyMachine): Step[] {
  return [
    { from: [], trigger: 'create', to: initial, emits: creation.emits },
    ...Object.entries(otherCreations).map(([trigger, other]) => ({ from: [], trigger, ...other })),
    ...Object.entries(transitions).map(([trigger, step]) => ({ trigger, ...step })),
  ];
}

/** Steps between the same two states share one arrow. */
function diagram(machine: AnyMachine, steps: readonly Step[]): string {
  const arrows = steps.flatMap(({ from, trigger, to }) =>
    (from.length > 0 ? from : ['[*]']).map((state) => ({ ends: `${state} --> ${to}`, trigger })),
  );
  const lines = [...Map.groupBy(arrows, ({ ends }) => ends)].map(
    ([ends, same]) => `    ${ends}: ${same.map(({ trigger }) => trigger).join(', ')}`,
  );
  const ends = finalStates(machine).map((state) => `    ${state} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...lines, ...ends, '```'].join('\n');
}

function finalStates({ states, transitions }: AnyMachine): string[] {
  const left = new Set(Object.values(transitions).flatMap(({ from }) => from));
  return states.filter((state) => !left.has(state));
}

function codes(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}
