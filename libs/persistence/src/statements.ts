import { sql, type Queryable, type Tx } from './database.port.ts';
import type { Column } from './column.ts';
import { arrayParameters, assignments, columnArrays, parameters, valuesOf } from './parameters.ts';
import type { Columns, NamesBy, RowOf, Table } from './table.ts';

/** What a statement needs of a table. */
type Written<Declared extends Columns> = Pick<Table<Declared>, 'name' | 'columns' | 'inserted' | 'stepped'>;
type Row<Declared extends Columns> = RowOf<{ readonly columns: Declared }>;
/** Every UPDATE names the tenant, so a table without one has none of these. */
type OfTenant = Columns & { readonly tenant: Column<string> };

/** A row that a decision has changed. */
export interface RowChange<Of> {
  readonly before: Of;
  readonly after: Of;
}

/**
 * The INSERT of one row. `rest` follows the values: `ON CONFLICT … DO NOTHING RETURNING id`. The function answers the rows that
 * RETURNING names.
 */
export function insertRow<Declared extends Columns>(
  table: Written<Declared>,
  rest = '',
): (db: Queryable, row: Pick<Row<Declared>, NamesBy<Declared, 'creation' | 'steps'>>) => Promise<unknown[]> {
  const { name, inserted } = table;
  const statement = sql(
    `${name}.insert`,
    `INSERT INTO ${name} (${inserted.join(', ')}) VALUES (${parameters(inserted)})${rest && ` ${rest}`}`,
  );
  return (db, row) => db.query(statement, valuesOf(row, inserted));
}

/** The next number of a sequence. One that was drawn by a transaction that rolls back is left out. */
export function nextOf(sequence: string): (db: Queryable) => Promise<number> {
  const statement = sql(`${sequence}.next`, `SELECT nextval('${sequence}') AS number`);
  return async (db) => {
    const [row] = await db.query<{ number: number }>(statement);
    if (!row) throw new Error(`${sequence} returned no number`);
    return row.number;
  };
}

/** The UPDATE of what steps changed in one row of the tenant that the transaction has locked. */
export function saveRow<Declared extends OfTenant, Key extends keyof Declared & string>(
  table: Written<Declared>,
  key: Key,
): (
  tx: Tx,
  row: Pick<Row<Declared>, 'tenant' | Key | NamesBy<Declared, 'steps' | 'later steps'>>,
) => Promise<void> {
  const { name, stepped } = table;
  const statement = sql(
    `${name}.save`,
    `UPDATE ${name} SET ${assignments(stepped, 3)} WHERE tenant = $1 AND ${key} = $2`,
  );
  return async (tx, row) => {
    await tx.query(statement, valuesOf(row, ['tenant', key, ...stepped]));
  };
}

/**
 * The same for many rows in one statement. A row that no step changed is left out. The rows are those that the transaction has
 * locked.
 */
export function saveRows<Declared extends OfTenant>(
  table: Written<Declared>,
  key: keyof Declared & string,
): (tx: Tx, changes: readonly RowChange<Row<Declared>>[]) => Promise<void> {
  const { name, stepped } = table;
  const given = ['tenant', key, ...stepped];
  // `= ANY` in addition to the join: no plan reads other rows (decision 0010).
  const statement = sql(
    `${name}.save_all`,
    `UPDATE ${name} AS o SET ${stepped.map((column) => `${column} = n.${column}`).join(', ')}
       FROM unnest(${arrayParameters(table, given, 1)}) AS n (${given.join(', ')})
      WHERE o.tenant = n.tenant AND o.${key} = n.${key} AND o.${key} = ANY ($2)`,
  );
  return async (tx, changes) => {
    const rows = changes
      .filter(({ before, after }) => stepped.some((column) => before[column] !== after[column]))
      .map(({ after }) => after);
    if (rows.length > 0) await tx.query(statement, columnArrays(rows, given));
  };
}
