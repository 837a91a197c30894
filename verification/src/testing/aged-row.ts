import type pg from 'pg';

/** Values of a row's columns by their names. */
export type RowValues = Readonly<Record<string, unknown>>;

const REQUIRED = `SELECT column_name AS name, data_type AS type FROM information_schema.columns
  WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND is_identity = 'NO'
    AND (column_default IS NULL OR data_type = 'timestamp with time zone')`;

/**
 * Adds a row with `at` in all times and `label` in all texts, by which `tablesWith` finds it; `values` override them.
 * The rows that it references need not exist.
 */
export async function addAgedRow(
  client: pg.Client,
  table: string,
  { label, at, values }: { readonly label: string; readonly at: Date; readonly values: RowValues },
): Promise<void> {
  const { rows } = await client.query<{ name: string; type: string }>(REQUIRED, [table]);
  const required = rows.map(({ name, type }) => [name, valueOf(type, label, at)] as const);
  const row = { ...Object.fromEntries(required), ...values };
  const places = Object.keys(row).map((_, at) => `$${at + 1}`);
  await client.query('SET session_replication_role = replica');
  await client.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${places.join(', ')})`,
    Object.values(row),
  );
  await client.query('RESET session_replication_role');
}

/** The tables that have a row with the label. */
export async function tablesWith(
  client: pg.Client,
  tables: readonly string[],
  label: string,
): Promise<string[]> {
  if (tables.length === 0) return [];
  const ofEach = tables.map(
    (table) =>
      `SELECT '${table}' AS name WHERE EXISTS (SELECT FROM ${table} t WHERE strpos(t::text, $1) > 0)`,
  );
  const { rows } = await client.query<{ name: string }>(ofEach.join(' UNION ALL '), [label]);
  return rows.map(({ name }) => name).sort();
}

function valueOf(type: string, label: string, at: Date): unknown {
  if (type === 'text') return label;
  if (type.startsWith('timestamp') || type === 'date') return at;
  if (type === 'jsonb') return '{}';
  if (type === 'ARRAY') return [];
  return type === 'boolean' ? true : 1;
}
