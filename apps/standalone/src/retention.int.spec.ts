import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import { migrate } from '@fundrail/service-kit/db';
import pg from 'pg';
import { BOUNDS, COMMON_BOUNDS } from '../../../tools/docs/bounds.ts';
import { definitions } from './services.ts';

/** Tables and partitioned tables; a partition is part of its table, but the one that takes what has none yet. */
const TABLES = `SELECT relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND (NOT c.relispartition OR pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')
  ORDER BY relname`;

describe.each(definitions(false).map((definition) => [definition.name, definition] as const))(
  'the tables of %s',
  (name, definition) => {
    let database: TestDatabase;
    let tables: string[];
    beforeAll(async () => {
      database = await createTestDatabase();
      await migrate(definition, database.url);
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      tables = (await client.query<{ name: string }>(TABLES)).rows.map((row) => row.name);
      await client.end();
    });
    afterAll(() => database.drop());

    it('have each a stated bound, and every bound a table', () => {
      expect(tables).toEqual(Object.keys({ ...COMMON_BOUNDS, ...BOUNDS[name] }).sort());
    });
  },
);
