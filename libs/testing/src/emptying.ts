import type { RunningService } from '@fundrail/service-kit';

/** The statement that deletes all rows of a service, except of the tables that `keeps` names. */
export async function emptying(
  { database }: RunningService,
  keeps: (table: string) => boolean,
): Promise<string> {
  const tables = await database.dataSource.query<{ tablename: string }[]>(
    `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`,
  );
  const names = tables.map(({ tablename }) => tablename).filter((name) => !keeps(name));
  // Few rows in many tables: faster than TRUNCATE, and possible in any order without the foreign keys.
  const deletions = names.map((name) => `DELETE FROM ${name};`).join(' ');
  return `SET session_replication_role = replica; ${deletions} SET session_replication_role = DEFAULT`;
}
