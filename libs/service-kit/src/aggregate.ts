export { Aggregate, obsolete } from './aggregate/aggregate.ts';
export { RecordedAggregate, type DueChange } from './aggregate/recorded-aggregate.ts';
export { rowsOf, type AggregateRows } from './aggregate/rows.ts';
