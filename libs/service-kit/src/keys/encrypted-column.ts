/** A column with values of `DataCipher`, which `keys rotate` re-encrypts under another key. */
export interface EncryptedColumn {
  readonly table: string;
  /** The columns of the primary key, each of type `text`. */
  readonly key: readonly string[];
  readonly column: string;
  /** The column with the row's tenant; null when rows belong to no tenant. */
  readonly tenant: string | null;
  /** A `text` is one value or null; a `jsonb` contains values as whole strings at any place. */
  readonly type: 'text' | 'jsonb';
  /** The column with the keyed hash of the same text. */
  readonly hash?: string;
}

/** The column of `HashingSecret`. The start checks it like the service's own columns. */
export const HASHING_COLUMN: EncryptedColumn = {
  ...{ table: 'hashing_secrets', key: ['name'], tenant: null },
  ...{ column: 'secret_encrypted', type: 'text' },
};

/** The columns of the kit's own tables, in each service's database. */
const KIT_COLUMNS: readonly EncryptedColumn[] = [
  HASHING_COLUMN,
  { table: 'idempotency_keys', key: ['tenant', 'key'], tenant: 'tenant', column: 'body', type: 'text' },
];

/** All encrypted columns of a service's database: its own, then the kit's, which have more rows. */
export function encryptedColumnsOf(service: {
  readonly encrypted?: readonly EncryptedColumn[];
}): readonly EncryptedColumn[] {
  return [...(service.encrypted ?? []), ...KIT_COLUMNS];
}
