import { jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import type { MigrationClass, ServiceDefinition } from '@fundrail/service-kit/db';
import { definitions } from './services.ts';

const TABLE = /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/g;
const INDEX = /\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?(\w+)\s+ON (\w+)/g;
const ALTER = /\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/g;
const UPDATE = /\bUPDATE (?:ONLY )?(\w+)(?: AS)?(?: \w+)? SET\b/g;

/** Operators have run these migrations, so they cannot change; `reconciliation_run` has one row. */
const KNOWN_OLD = [
  'DebitRules1700000000370: debits',
  'HeldDeliveries1700000035000: webhook_deliveries',
  'WholeRuns1700000056000: reconciliation_run',
];

/** The simulator's tables exist only in the sandbox, where no writer waits for them. */
const services = definitions(true).filter(({ name }) => name !== 'simulator');

/** The statements that a migration runs on an empty database. */
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

/** The indexes that would make writers of an older table wait. */
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

/** The tables of an earlier migration that one migration alters and updates: all queries would wait for the whole UPDATE. */
async function updatedBehindAlter({ migrations }: ServiceDefinition): Promise<Set<string>> {
  const found = new Set<string>();
  for (const migration of migrations) {
    const text = await statementsOf(migration);
    const own = new Set([...text.matchAll(TABLE)].map(([, table]) => table));
    const updated = new Set([...text.matchAll(UPDATE)].map(([, table]) => table));
    for (const [, table] of text.matchAll(ALTER))
      if (updated.has(table) && !own.has(table)) found.add(`${migration.name}: ${table}`);
  }
  return found;
}

describe('the migrations', () => {
  it.each(services.map((service) => [service.name, service] as const))(
    'of %s create an index on a table of an earlier one concurrently (decision 0028)',
    async (_, service) => {
      expect(await waitedFor(service)).toEqual([]);
    },
  );

  it.each(services.map((service) => [service.name, service] as const))(
    'of %s change no rows of a table whose lock the same transaction has from an ALTER (decision 0028)',
    async (_, service) => {
      const found = await updatedBehindAlter(service);
      expect(found.difference(new Set(KNOWN_OLD))).toEqual(new Set());
    },
  );

  it('that do so are exactly the known old ones', async () => {
    const found = await Promise.all(services.map(updatedBehindAlter));
    expect([...new Set(found.flatMap((names) => [...names]))].sort()).toEqual(KNOWN_OLD);
  });

  it('create at least one index concurrently, and one in the usual way', async () => {
    const texts = await Promise.all(
      services.flatMap(({ migrations }) => migrations.map((migration) => statementsOf(migration))),
    );
    const text = texts.join(';\n');
    expect(text).toMatch(/CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_deliveries_retried_of ON/);
    expect([...text.matchAll(INDEX)].map(([, index]) => index)).toContain('webhook_deliveries_webhook');
  });
});
