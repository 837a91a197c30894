import { sql, type Queryable, type Statement } from '@fundrail/persistence';
import type { EncryptedColumn } from './encrypted-column.ts';

/** A row's stored value. `value` is null when there is none, or when it needs no check. */
export interface StoredValue {
  readonly key: readonly string[];
  readonly tenant: string | null;
  readonly value: string | null;
  readonly hash: string | null;
}

/** The new value of a row, which replaces `old` if that is still stored. */
export interface Rewrite {
  readonly key: readonly string[];
  readonly old: string;
  readonly value: string;
  readonly hash: string | null;
}

/** The statements that read and rewrite the encrypted values of one column. */
export class EncryptedColumnRepository {
  private readonly pageStatement: Statement;
  private readonly rewriteStatement: Statement;

  constructor(
    private readonly db: Queryable,
    private readonly column: EncryptedColumn,
  ) {
    const name = `${column.table}.${column.column}`;
    this.pageStatement = sql(`${name}.page`, pageText(column));
    this.rewriteStatement = sql(`${name}.rewrite`, rewriteText(column));
  }

  /** The rows after a key, in its order. Values that start with `currentPrefix` are left out when nothing else has to be compared. */
  async page(
    after: readonly string[] | null,
    currentPrefix: string,
    limit: number,
  ): Promise<readonly StoredValue[]> {
    const from = after ?? this.column.key.map(() => '');
    return this.db.query<StoredValue>(this.pageStatement, [limit, currentPrefix, ...from]);
  }

  /** Returns how many were written. The others were changed or locked meanwhile, so another pass has to check them. */
  async rewrite(rows: readonly Rewrite[]): Promise<number> {
    const keys = this.column.key.map((_, at) => rows.map(({ key }) => key[at]));
    const columns = [
      rows.map(({ old }) => old),
      rows.map(({ value }) => value),
      rows.map(({ hash }) => hash),
    ];
    return (await this.db.query(this.rewriteStatement, [...keys, ...columns])).length;
  }
}

// The prefix is compared in the database, so that a second run reads no finished value. `$2` always appears, because an unused
// parameter has no type. Columns are qualified, because ORDER BY would otherwise use the result's column and sort the whole table
// for each page.
function pageText({ table, key, tenant, column, type, hash }: EncryptedColumn): string {
  const isWhole = type === 'jsonb' || hash !== undefined;
  const value = isWhole
    ? `t.${column}::text`
    : `CASE WHEN NOT starts_with(t.${column}, $2) THEN t.${column} END`;
  const names = key.map((name) => `t.${name}`).join(', ');
  const from = key.map((_, at) => `$${at + 3}::text`);
  return `SELECT ARRAY[${names}] AS key, ${tenant === null ? 'NULL::text' : `t.${tenant}`} AS tenant, ${value} AS value, ${hash === undefined ? 'NULL::text' : `t.${hash}`} AS hash
            FROM ${table} t WHERE (${names}) > (${from.join(', ')}) AND $2::text IS NOT NULL
           ORDER BY ${names} LIMIT $1`;
}

// Rows are locked first and without waiting, so the statement is never part of a deadlock.
function rewriteText({ table, key, column, type, hash }: EncryptedColumn): string {
  const names = [...key, 'old_value', 'new_value', 'new_hash'];
  const arrays = names.map((_, at) => `$${at + 1}::text[]`);
  const sameKey = key.map((name) => `t.${name} = free.${name}`).join(' AND ');
  return `WITH free AS (
            SELECT given.* FROM unnest(${arrays.join(', ')}) AS given (${names.join(', ')}) JOIN ${table} t USING (${key.join(', ')})
             WHERE t.${column} = given.old_value::${type} FOR NO KEY UPDATE OF t SKIP LOCKED)
          UPDATE ${table} t SET ${column} = free.new_value::${type}${hash === undefined ? '' : `, ${hash} = free.new_hash`}
            FROM free WHERE ${sameKey} AND t.${column} = free.old_value::${type} RETURNING true AS done`;
}
