import type { ServiceName } from '@fundrail/contracts';
import { createTestDatabase } from '@fundrail/testing';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';
import { catalogOf, type Catalog } from './catalog.ts';

const COLUMNS = `
  SELECT relname AS table, array_agg(attname::text ORDER BY attnum) AS columns
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
   WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
     AND relname <> 'migrations'
   GROUP BY relname`;

export type Columns = ReadonlyMap<string, readonly string[]>;

/** A database of one service, with its connection. */
export class ServiceDatabase {
  private constructor(
    readonly url: string,
    private readonly client: pg.Client,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  /** An empty one. */
  static async empty(): Promise<ServiceDatabase> {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return new ServiceDatabase(database.url, client, () => database.drop());
  }

  /**
   * The one that a demo of release 0.1 left: the statements of the release's migrations, in their order, then the rows. Only the day
   * partitions of attempts are missing, which webhooks creates while it runs; their rows are in the table's first partition.
   */
  static async ofRelease(name: ServiceName): Promise<ServiceDatabase> {
    const packed = await readFile(new URL(`release-0.1/${name}.sql.gz`, import.meta.url));
    const database = await ServiceDatabase.empty();
    await database.client.query((await promisify(gunzip)(packed)).toString('utf8'));
    await database.client.query('RESET ALL');
    return database;
  }

  async rows<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, [...values])).rows;
  }

  catalog(): Promise<Catalog> {
    return catalogOf(this.client);
  }

  /** The names of the recorded migrations, each as often as it was recorded. */
  async recorded(): Promise<string[]> {
    const rows = await this.rows<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }

  /** The tables with their columns, without TypeORM's table of migrations. */
  async columns(): Promise<Columns> {
    const rows = await this.rows<{ table: string; columns: string[] }>(COLUMNS);
    return new Map(rows.map(({ table, columns }) => [table, columns]));
  }

  /** The number of rows of each of these tables, and a hash of the values in these columns. */
  async contents(of: Columns): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const [table, columns] of of) {
      const row = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const [first] = await this.rows<{ content: string }>(
        `SELECT count(*) || ' ' || coalesce(md5(string_agg(line, chr(10) ORDER BY line)), '') AS content
           FROM (SELECT ROW(${row})::text AS line FROM ${pg.escapeIdentifier(table)}) AS lines`,
      );
      found[table] = first?.content ?? '';
    }
    return found;
  }

  async drop(): Promise<void> {
    await this.client.end();
    await this.dropDatabase();
  }
}
