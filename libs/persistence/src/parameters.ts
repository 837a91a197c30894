import type { Table } from './table.ts';

/** `$1, $2, …`: one parameter for each column, from number `first`. */
export function parameters(columns: readonly string[], first = 1): string {
  return columns.map((_, index) => `$${index + first}`).join(', ');
}

/** `a = $3, b = $4, …`: each column is set to one parameter, from number `first`. */
export function assignments(columns: readonly string[], first: number): string {
  return columns.map((column, index) => `${column} = $${index + first}`).join(', ');
}

/** `$1::bigint[], $2::text[], …`: one array for each column, as `unnest` reads them, from number `first`. */
export function arrayParameters<Name extends string>(
  table: Pick<Table, 'columns'>,
  columns: readonly Name[],
  first: number,
): string {
  return columns.map((column, index) => `$${index + first}::${table.columns[column]?.type}[]`).join(', ');
}

/** The values of these columns, in their order. */
export function valuesOf<Row>(row: Row, columns: readonly (keyof Row)[]): unknown[] {
  return columns.map((column) => row[column]);
}

/** One array for each of these columns, with a value for each row, as `unnest` reads them. */
export function columnArrays<Row>(rows: readonly Row[], columns: readonly (keyof Row)[]): unknown[][] {
  return columns.map((column) => rows.map((row) => row[column]));
}
