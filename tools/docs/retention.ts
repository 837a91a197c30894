import { PRODUCT_SERVICES, storedNameOf } from '@fundrail/contracts';
import { BOUNDS, COMMON_BOUNDS, type Bound } from './bounds.ts';
import { GENERATED, table } from './markdown.ts';

const INTRODUCTION = `What keeps each table from growing without end. A test compares this page with the tables that the migrations make: a new one without a bound fails. It also puts a row into each that is a little older than its bound, and one that is a little younger, and sees that the service removes the one and keeps the other.

- **goes**: rows are removed by themselves, a thousand at a time beside the work, or by dropping a day. Nothing has to be set up.
- **record**: what was agreed with an investor, and what happened to it. It grows with the business and is kept as long as its books are; removing it is a decision of yours, not of a program.
- **small**: bounded by what there is one of.`;

/** `docs/retention.md`: every table, and what bounds it. The simulator's are those of the sandbox, and go with it. */
export function retentionPage(): string {
  const own = PRODUCT_SERVICES.flatMap((name) => [
    `## \`fundrail_${storedNameOf(name)}\``,
    rowsOf(BOUNDS[name]),
  ]);
  return [
    '# What is kept, and for how long',
    GENERATED,
    INTRODUCTION,
    '## In every database',
    rowsOf(COMMON_BOUNDS),
    ...own,
    'The tables of `fundrail_simulator` play the outside in the sandbox and go with it.',
  ].join('\n\n');
}

function rowsOf(bounds: Readonly<Record<string, Bound>>): string {
  return table(
    ['Table', 'Kind', 'Bound'],
    Object.entries(bounds).map(([name, { kind, says }]) => [`\`${name}\``, kind, says]),
  );
}
