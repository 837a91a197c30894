import { EntitySchema } from 'typeorm';
import type { EntitySchemaOptions } from 'typeorm/entity-schema/EntitySchemaOptions.js';
import type { Column, WrittenBy } from './column.ts';

export type Columns = Readonly<Record<string, Column<unknown>>>;

/** A row of a table: what a statement reads, with the columns' names. */
export type RowOf<Declared extends { readonly columns: Columns }> = {
  readonly [Name in keyof Declared['columns']]: Declared['columns'][Name]['value'];
};

/** The names of the columns that are written so. */
export type NamesBy<Declared extends Columns, By extends WrittenBy> = {
  [Name in keyof Declared & string]: Declared[Name]['writtenBy'] extends By ? Name : never;
}[keyof Declared & string];

/** A table's columns, declared once: its rows' type, its statements and TypeORM's entity come from here. */
export interface Table<Declared extends Columns = Columns> {
  readonly name: string;
  readonly columns: Declared;
  /** For TypeORM's repositories and query builder. */
  readonly entity: EntitySchema<RowOf<{ readonly columns: Declared }>>;
  /** The names of all columns. */
  readonly names: readonly (keyof Declared & string)[];
  /** The names of the columns that the INSERT writes. */
  readonly inserted: readonly NamesBy<Declared, 'creation' | 'steps'>[];
  /** The names of the columns that steps write. */
  readonly stepped: readonly NamesBy<Declared, 'steps' | 'later steps'>[];
}

/**
 * Declares a table. Constraints and indexes are declared in its migration alone, where PostgreSQL's own words say all of them
 * (decision 0044); a test compares the columns with the migrated database.
 */
export function defineTable<const Declared extends Columns>(
  name: string,
  columns: Declared,
): Table<Declared> {
  const names = Object.keys(columns) as (keyof Declared & string)[];
  const namesBy = <By extends WrittenBy>(...writers: readonly By[]) =>
    names.filter((column): column is NamesBy<Declared, By> =>
      writers.some((writer) => columns[column]?.writtenBy === writer),
    );
  return {
    name,
    columns,
    names,
    inserted: namesBy('creation', 'steps'),
    stepped: namesBy('steps', 'later steps'),
    entity: new EntitySchema({ name, tableName: name, columns: entityColumns(columns) }),
  };
}

function entityColumns<Declared extends Columns>(columns: Declared) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { type, isNullable, isPrimary }]) => [
      name,
      {
        name,
        type: type.replace('[]', ''),
        array: type.endsWith('[]'),
        nullable: isNullable,
        primary: isPrimary,
      },
    ]),
    // Each declared column is there: TypeScript does not see it through `fromEntries`.
  ) as EntitySchemaOptions<RowOf<{ readonly columns: Declared }>>['columns'];
}
