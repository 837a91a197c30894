import {
  insertRow,
  saveRow,
  saveRows,
  sql,
  type Column,
  type RowChange,
  type RowOf,
} from '@fundrail/persistence';
import type { Table, Tx } from '@fundrail/persistence';

/** What the row of an aggregate has. Its id is the key of its events and of its due work. */
export interface AggregateRow {
  readonly id: string | number;
  readonly tenant: string;
  readonly event_seq: number;
}

/** The statements of an aggregate's rows. */
export interface AggregateRows<Row extends AggregateRow> {
  /** Locks a row of the tenant until the transaction ends. Returns null when there is none. */
  readonly lock: (tx: Tx, tenant: string, id: Row['id']) => Promise<Row | null>;
  /** Inserts a new row. Returns false, and inserts nothing, when its unique reference is taken. */
  readonly insert: (tx: Tx, row: Row) => Promise<boolean>;
  /** Writes what steps changed in rows that this transaction has locked. */
  readonly save: (tx: Tx, changes: readonly RowChange<Row>[]) => Promise<void>;
}

type AggregateColumns = Readonly<Record<string, Column<unknown>>> & {
  readonly [Name in 'id' | 'tenant' | 'event_seq']: Column<AggregateRow[Name]>;
};

/** Those of one table. A conflict in `unique`, an index as SQL, refuses a creation. */
export function rowsOf<Declared extends AggregateColumns>(
  table: Table<Declared>,
  unique?: string,
): AggregateRows<RowOf<Table<Declared>>> {
  const { name, names } = table;
  const all = names.join(', ');
  const lock = sql(`${name}.lock`, `SELECT ${all} FROM ${name} WHERE tenant = $1 AND id = $2 FOR UPDATE`);
  const insert = insertRow(table, `${unique ? `ON CONFLICT ${unique} DO NOTHING` : ''} RETURNING id`);
  const [save, saveAll] = [saveRow(table, 'id'), saveRows(table, 'id')];
  return {
    lock: async (tx, tenant, id) => (await tx.query<RowOf<Table<Declared>>>(lock, [tenant, id]))[0] ?? null,
    insert: async (tx, row) => (await insert(tx, row)).length === 1,
    save: async (tx, changes) => {
      const [first, ...others] = changes;
      // One row, as most changes have, needs no arrays.
      if (first) await (others.length === 0 ? save(tx, first.after) : saveAll(tx, changes));
    },
  };
}
