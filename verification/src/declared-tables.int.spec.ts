import { definitions } from '@fundrail/standalone';
import { bigint, defineTable, text, type Table } from '@fundrail/persistence';
import { migrate } from '@fundrail/service-kit/db';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ServiceDatabase } from './testing/service-database.ts';

type Declared = Pick<Table, 'name' | 'columns'>;

/** Each column as `type`, `type null`, with `key` for those of the primary key. No precision: it is the migration's rule. */
const COLUMNS = `SELECT a.attname AS name,
    replace(format_type(a.atttypid, NULL), 'timestamp with time zone', 'timestamptz')
      || CASE WHEN a.attnotnull THEN '' ELSE ' null' END
      || CASE WHEN a.attnum = ANY (k.conkey) THEN ' key' ELSE '' END AS text
  FROM pg_attribute a LEFT JOIN pg_constraint k ON k.conrelid = a.attrelid AND k.contype = 'p'
 WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped`;

const APPS = fileURLToPath(new URL('../../apps/', import.meta.url));

/** The names of the tables that a service's sources declare. */
function declaredIn(service: string): string[] {
  return globSync(`${APPS}${service}/src/**/*.ts`)
    .filter((file) => !file.includes('/testing/') && !file.endsWith('.spec.ts'))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bdefineTable\('(\w+)'/g)])
    .map(([, name]) => String(name))
    .sort();
}

async function inDatabase(database: ServiceDatabase, { name }: Declared): Promise<Record<string, string>> {
  const rows = await database.rows<{ name: string; text: string }>(COLUMNS, [name]);
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

describe('the declared tables', () => {
  let database: ServiceDatabase;
  beforeEach(async () => {
    database = await ServiceDatabase.empty();
  });
  afterEach(() => database.drop());

  it.each(definitions(true).map((definition) => [definition.name, definition] as const))(
    'of %s are all named in its definition, and have exactly the columns of the migrated database',
    async (service, definition) => {
      expect(definition.tables.map(({ name }) => name).sort()).toEqual(declaredIn(service));
      await migrate(definition, database.url);
      for (const table of definition.tables)
        expect({ [table.name]: inCode(table) }).toEqual({ [table.name]: await inDatabase(database, table) });
    },
  );

  it('are compared by type, null, key and name: each difference is seen', async () => {
    await database.rows(
      'CREATE TABLE odd (a text, b text NOT NULL, c bigint NOT NULL, d text NOT NULL, PRIMARY KEY (d))',
    );
    const odd = defineTable('odd', {
      ...{ a: text(), b: text().nullable(), c: text(), d: text(), e: bigint() },
    });
    expect(inCode(odd)).toEqual({ a: 'text', b: 'text null', c: 'text', d: 'text', e: 'bigint' });
    expect(await inDatabase(database, odd)).toEqual({
      a: 'text null',
      b: 'text',
      c: 'bigint',
      d: 'text key',
    });
  });
});
