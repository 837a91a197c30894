export { Aggregate, obsolete, type DueChange } from './aggregate/aggregate.ts';
export { rowsOf, type AggregateRows } from './aggregate/rows.ts';
