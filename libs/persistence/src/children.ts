import { sql, type Queryable } from './database.port.ts';
import type { RowOf, Table } from './table.ts';

/** Tables with rows of a parent, and the order in which these are read, as SQL. A `name` may be a query. A column of two tables has one type. */
type ChildTables = Readonly<
  Record<string, { readonly table: Pick<Table, 'name' | 'columns' | 'names'>; readonly by: string }>
>;

/**
 * Reads the children of several tables in one statement, by tenant and by their column `parent`. Run it after the parents' lock (it may
 * be sent together with it) and not in the statement that takes it, which would see the children as they were before it waited.
 */
export function readChildren<const Of extends ChildTables>(name: string, parent: string, tables: Of) {
  const lists = Object.entries(tables);
  const columns = new Map(lists.flatMap(([, { table }]) => Object.entries(table.columns)));
  const parts = lists.map(([list, { table, by }]) => {
    const selected = [...columns].map(([column, { type }]) =>
      column in table.columns ? column : `NULL::${type} AS ${column}`,
    );
    return `(SELECT '${list}' AS list, ${selected.join(', ')} FROM ${table.name}
      WHERE tenant = ANY ($1) AND ${parent} = ANY ($2) ORDER BY ${by})`;
  });
  const statement = sql(name, parts.join(' UNION ALL '));
  return async (db: Queryable, tenants: readonly string[], ids: readonly number[]) => {
    const rows = await db.query<Readonly<Record<string, unknown>>>(statement, [tenants, ids]);
    return (id: number) => {
      const children = lists.map(([list, { table }]) => {
        const own = rows.filter((row) => row['list'] === list && row[parent] === id);
        const read = own.map((row) => Object.fromEntries(table.names.map((column) => [column, row[column]])));
        return [list, read] as const;
      });
      // Each list is there: TypeScript does not see it through `fromEntries`.
      return Object.fromEntries(children) as { readonly [List in keyof Of]: RowOf<Of[List]['table']>[] };
    };
  };
}
