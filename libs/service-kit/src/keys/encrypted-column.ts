/** Where values of `DataCipher` are stored, so that they can be encrypted anew under another key. */
export interface EncryptedColumn {
  readonly table: string;
  /** Of the primary key, each of them `text`. */
  readonly key: readonly string[];
  readonly column: string;
  /** A `text` is one value, or null; a `jsonb` holds values as whole strings, anywhere in it. */
  readonly type: 'text' | 'jsonb';
  /** The column with the keyed hash of the same text. */
  readonly hash?: string;
}

/** Those of the kit's own tables, in each service's database. */
const KIT_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'idempotency_keys', key: ['tenant', 'key'], column: 'body', type: 'text' },
];

/** Every encrypted column of a service's database: its own, then the kit's, which are more to walk through. */
export function encryptedColumnsOf(service: {
  readonly encrypted?: readonly EncryptedColumn[];
}): readonly EncryptedColumn[] {
  return [...(service.encrypted ?? []), ...KIT_COLUMNS];
}
