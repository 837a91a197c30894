import type { QueryRunner } from 'typeorm';
import type { MigrationClass } from './service-definition.ts';

/**
 * Records the baselines as run where the migrations that they replace have run, all in one statement (decision 0045). Does nothing in a
 * new database, and where they are recorded already. Rejects, and changes nothing, when only a part of the replaced migrations has run:
 * the schema is then between two releases.
 */
export async function adoptBaselines(
  runner: QueryRunner,
  migrations: readonly MigrationClass[],
): Promise<void> {
  const done = await recordedNames(runner);
  const replaced = migrations.flatMap(({ replaces = [] }) => replaces);
  const missing = replaced.filter((name) => !done.has(name));
  if (missing.length === replaced.length) return;
  if (missing.length > 0)
    throw new Error(
      `this database has run only a part of the migrations of release 0.1: upgrade it to release 0.1 first, then to this one (not run: ${missing.join(', ')})`,
    );
  const baselines = migrations.filter(({ name, replaces }) => replaces !== undefined && !done.has(name));
  await runner.query(
    'INSERT INTO migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name',
    [baselines.map(({ name }) => name)],
  );
}

/** Reads the table that TypeORM keeps; a new database does not have it. */
async function recordedNames(runner: QueryRunner): Promise<Set<string>> {
  const [table] = (await runner.query(`SELECT to_regclass('migrations') IS NOT NULL AS there`)) as {
    there: boolean;
  }[];
  if (table?.there !== true) return new Set();
  const rows = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
  return new Set(rows.map(({ name }) => name));
}
