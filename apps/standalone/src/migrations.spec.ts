import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { MigrationClass, ServiceDefinition } from '@fundrail/service-kit/db';
import { definitions } from './services.ts';

const TABLE = /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/g;
const INDEX = /\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?(\w+)\s+ON (\w+)/g;

/** The simulator's tables are of the sandbox, and wait for nobody. */
const services = definitions(true).filter(({ name }) => name !== 'simulator');

/** What a migration asks of a database, of which nothing is there. */
async function statementsOf(Migration: MigrationClass): Promise<string> {
  const runner = new DataSource({ type: 'postgres' }).createQueryRunner();
  const asked: string[] = [];
  jest.spyOn(runner, 'query').mockImplementation((text: string) => {
    asked.push(text);
    return Promise.resolve([]);
  });
  await new Migration().up(runner);
  return asked.join(';\n');
}

/** The indexes that writers of an older table would wait for. */
async function waitedFor({ migrations }: ServiceDefinition): Promise<string[]> {
  const found: string[] = [];
  for (const migration of migrations) {
    const text = await statementsOf(migration);
    const own = new Set([...text.matchAll(TABLE)].map(([, table]) => table));
    for (const [, index, table] of text.matchAll(INDEX))
      if (!own.has(table)) found.push(`${migration.name}: ${index} on ${table}`);
  }
  return found;
}

describe('the migrations', () => {
  it.each(services.map((service) => [service.name, service] as const))(
    'of %s make an index on a table of an earlier one concurrently (decision 0028)',
    async (_, service) => {
      expect(await waitedFor(service)).toEqual([]);
    },
  );

  it('are at least one index that is made so, and one that need not be', async () => {
    const texts = await Promise.all(
      services.flatMap(({ migrations }) => migrations.map((migration) => statementsOf(migration))),
    );
    const text = texts.join(';\n');
    expect(text).toMatch(/CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_retried_of ON/);
    expect([...text.matchAll(INDEX)].map(([, index]) => index)).toContain('webhook_deliveries_webhook');
  });
});
