import type pg from 'pg';

const IN_PUBLIC = `relnamespace = 'public'::regnamespace`;

/** Timestamps in the bounds of partitions, which depend on the day on which the database was created. */
const TIMESTAMP = /'\d{4}-\d\d-\d\d [^']+'/g;

/** What a schema is made of. Each query returns one line of text for each part, in a fixed order. */
const PARTS = {
  tables: `
    SELECT concat_ws(' ', relname, relkind, relpersistence, reloptions::text, pg_get_partkeydef(oid),
             pg_get_expr(relpartbound, oid)) AS line
      FROM pg_class WHERE relkind IN ('r', 'p') AND ${IN_PUBLIC} ORDER BY relname`,
  columns: `
    SELECT concat_ws(' ', relname, row_number() OVER (PARTITION BY relname ORDER BY attnum), attname,
             format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END, 'identity=' || attidentity::text,
             'generated=' || attgenerated::text, pg_get_expr(adbin, adrelid), nullif(attcollation, 0)::regcollation::text) AS line
      FROM pg_class JOIN pg_attribute a ON a.attrelid = pg_class.oid
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped AND ${IN_PUBLIC} ORDER BY relname, attnum`,
  constraints: `
    SELECT concat_ws(' ', relname, conname, pg_get_constraintdef(c.oid), conislocal, coninhcount) AS line
      FROM pg_constraint c JOIN pg_class ON pg_class.oid = conrelid WHERE ${IN_PUBLIC} ORDER BY relname, conname`,
  indexes: `
    SELECT concat_ws(' ', pg_get_indexdef(indexrelid), reloptions::text, 'valid=' || indisvalid,
             (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = indexrelid)) AS line
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE ${IN_PUBLIC} ORDER BY indrelid::regclass::text, indexrelid`,
  functions: `
    SELECT pg_get_functiondef(oid) AS line FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname`,
  triggers: `
    SELECT pg_get_triggerdef(t.oid) AS line FROM pg_trigger t JOIN pg_class ON pg_class.oid = tgrelid
     WHERE NOT tgisinternal AND ${IN_PUBLIC} ORDER BY relname, tgname`,
  sequences: `
    SELECT concat_ws(' ', relname, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin, seqcache, seqcycle,
             (SELECT refobjid::regclass || '.' || refobjsubid FROM pg_depend
               WHERE objid = pg_class.oid AND deptype IN ('a', 'i') AND refobjsubid > 0)) AS line
      FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid WHERE ${IN_PUBLIC} ORDER BY relname`,
};

/** The lines of each part of a schema. */
export type Catalog = Readonly<Record<string, readonly string[]>>;

/**
 * The schema of a database as PostgreSQL's catalogs describe it; only the day in a partition's bound is left out. Indexes are in the
 * order of their creation, because the planner takes the newest of equal ones. Equal schemas have equal catalogs.
 */
export async function catalogOf(client: pg.ClientBase): Promise<Catalog> {
  const catalog: Record<string, string[]> = {};
  for (const [part, text] of Object.entries(PARTS)) {
    const { rows } = await client.query<{ line: string }>(text);
    catalog[part] = rows.map(({ line }) => (part === 'tables' ? line.replace(TIMESTAMP, '(a day)') : line));
  }
  return catalog;
}
