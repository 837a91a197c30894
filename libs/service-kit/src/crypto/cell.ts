/** Where one encrypted value is stored. A value of format v2 is readable only there. */
export interface Cell {
  readonly table: string;
  readonly column: string;
  /** Null for a row that belongs to no tenant. */
  readonly tenant: string | null;
  /** The row's primary key. */
  readonly key: readonly string[];
}

/**
 * The additional data (AAD) that AES-GCM authenticates with a value of this cell. JSON separates the parts, so each cell has its own.
 * This form is part of format v2 and never changes.
 */
export function additionalDataOf(service: string, { table, column, tenant, key }: Cell): string {
  return JSON.stringify(['fundrail v2', service, table, column, tenant, ...key]);
}

/** The name of a cell in an error. A key of several parts contains a client's text, so it is left out. */
export function nameOfCell({ table, column, tenant, key }: Cell): string {
  const row = key.length === 1 ? ` of row ${key.join()}` : '';
  return `${table}.${column}${row}${tenant === null ? '' : ` of tenant ${tenant}`}`;
}
