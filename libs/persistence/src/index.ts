export * from './database.port.ts';
export {
  bigint,
  boolean,
  date,
  datemultirange,
  integer,
  jsonb,
  numeric,
  text,
  textArray,
  timestamptz,
  type Column,
  type WrittenBy,
} from './column.ts';
export { readChildren } from './children.ts';
export { inOneStatement } from './one-statement.ts';
export { arrayParameters, assignments, columnArrays, parameters, valuesOf } from './parameters.ts';
export { defineTable, type RowOf, type Table } from './table.ts';
export { Rows } from './rows.ts';
export { insertRow, nextOf, saveRow, saveRows, type RowChange } from './statements.ts';
