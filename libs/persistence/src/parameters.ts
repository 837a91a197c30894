import type { Column } from './column.ts';

/** `$1, $2, …`: one parameter for each column. */
export function parameters(columns: readonly string[]): string {
  return columns.map((_, index) => `$${index + 1}`).join(', ');
}

/** `a = $3, b = $4, …`: each column is set to one parameter, from number `first`. */
export function assignments(columns: readonly string[], first: number): string {
  return columns.map((column, index) => `${column} = $${index + first}`).join(', ');
}

/**
 * `$1::bigint[], $2::text[], …`: one array for each column, as `unnest` reads them, from number `first`. Throws for a column of lists:
 * `unnest` would make a row of each of their elements.
 */
export function arrayParameters<Name extends string>(
  { columns: declared }: { readonly columns: Readonly<Record<Name, Column<unknown>>> },
  columns: readonly Name[],
  first: number,
): string {
  return columns
    .map((column, index) => {
      const { type } = declared[column];
      if (type.endsWith('[]')) throw new Error(`${column} has lists, which unnest takes apart`);
      return `$${index + first}::${type}[]`;
    })
    .join(', ');
}

/** The values of these columns, in their order. */
export function valuesOf<Row>(row: Row, columns: readonly (keyof Row)[]): unknown[] {
  return columns.map((column) => row[column]);
}

/** One array for each of these columns, with a value for each row, as `unnest` reads them. */
export function columnArrays<Row>(rows: readonly Row[], columns: readonly (keyof Row)[]): unknown[][] {
  return columns.map((column) => rows.map((row) => row[column]));
}
