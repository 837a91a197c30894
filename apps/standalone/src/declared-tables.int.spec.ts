import { bigint, defineTable, text, type Table } from '@fundrail/persistence';
import { migrate } from '@fundrail/service-kit/db';
import { createTestDatabase, type TestDatabase } from '@fundrail/testing';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { definitions } from './services.ts';

type Declared = Pick<Table, 'name' | 'columns'>;

/** Each column as `type`, `type null`, with `key` for those of the primary key. No precision: it is the migration's rule. */
const COLUMNS = `SELECT a.attname AS name,
    replace(format_type(a.atttypid, NULL), 'timestamp with time zone', 'timestamptz')
      || CASE WHEN a.attnotnull THEN '' ELSE ' null' END
      || CASE WHEN a.attnum = ANY (k.conkey) THEN ' key' ELSE '' END AS text
  FROM pg_attribute a LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
 WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`;

const APPS = fileURLToPath(new URL('../../', import.meta.url));

/** The names of the tables that a service's sources declare. */
function declaredIn(service: string): string[] {
  return globSync(`${APPS}${service}/src/**/*.ts`)
    .filter((file) => !file.includes('/testing/') && !file.endsWith('.spec.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bdefineTable\('(\w+)'/g)])
    .map(([, name]) => String(name))
    .sort();
}

async function inDatabase(client: pg.Client, { name }: Declared): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; text: string }>(COLUMNS, [name]);
  return Object.fromEntries(rows.map((row) => [row.name, row.text]));
}

function inCode({ columns }: Declared): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, { type, isNullable, isPrimary }]) => [
      name,
      `${type}${isNullable ? ' null' : ''}${isPrimary ? ' key' : ''}`,
    ]),
  );
}

describe.each(definitions(true).map((definition) => [definition.name, definition] as const))(
  'the declared tables of %s',
  (service, definition) => {
    let database: TestDatabase;
    let client: pg.Client;
    beforeAll(async () => {
      database = await createTestDatabase();
      await migrate(definition, database.url);
      client = new pg.Client({ connectionString: database.url });
      await client.connect();
    });
    afterAll(async () => {
      await client.end();
      await database.drop();
    });

    it('are all named in the service, so that none is left out here', () => {
      expect(definition.tables.map(({ name }) => name).sort()).toEqual(declaredIn(service));
    });

    it('have exactly the columns of the migrated database', async () => {
      for (const table of definition.tables)
        expect({ [table.name]: inCode(table) }).toEqual({ [table.name]: await inDatabase(client, table) });
    });

    it('are compared column by column: a type, a null and a key are seen', async () => {
      const wrong = defineTable('due_work', {
        kind: bigint(),
        key: text().primary(),
        tenant: text().nullable(),
      });
      const stored = await inDatabase(client, wrong);
      expect(stored).toMatchObject({ kind: 'text key', key: 'text key', tenant: 'text' });
      expect(inCode(wrong)).toEqual({ kind: 'bigint', key: 'text key', tenant: 'text null' });
    });
  },
);
