import { jest } from '@jest/globals';
import { storedNameOf } from '@fundrail/contracts';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import type { MigrationClass, ServiceDefinition } from '@fundrail/service-kit/db';
import { definitions } from './services.ts';

const TABLE = /\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/g;
const INDEX = /\bCREATE (?:UNIQUE )?INDEX (?!CONCURRENTLY)(?:IF NOT EXISTS )?(\w+)\s+ON (\w+)/g;
const ALTER = /\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/g;
const UPDATE = /\bUPDATE (?:ONLY )?(\w+)(?: AS)?(?: \w+)? SET\b/g;

/** A migration that breaks both rules. */
class Blocking1900000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE debits ADD COLUMN colour text; UPDATE debits SET colour = 1');
    await runner.query('CREATE INDEX debits_colour ON debits (colour)');
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

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
async function waitedFor({ migrations }: Pick<ServiceDefinition, 'migrations'>): Promise<string[]> {
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
async function updatedBehindAlter({ migrations }: Pick<ServiceDefinition, 'migrations'>): Promise<string[]> {
  const found = new Set<string>();
  for (const migration of migrations) {
    const text = await statementsOf(migration);
    const own = new Set([...text.matchAll(TABLE)].map(([, table]) => table));
    const updated = new Set([...text.matchAll(UPDATE)].map(([, table]) => table));
    for (const [, table] of text.matchAll(ALTER))
      if (updated.has(table) && !own.has(table)) found.add(`${migration.name}: ${table}`);
  }
  return [...found];
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
      expect(await updatedBehindAlter(service)).toEqual([]);
    },
  );

  it('are found when they do so', async () => {
    const breaking = { migrations: [Blocking1900000000000] };
    expect(await waitedFor(breaking)).toEqual(['Blocking1900000000000: debits_colour on debits']);
    expect(await updatedBehindAlter(breaking)).toEqual(['Blocking1900000000000: debits']);
  });

  it.each(definitions(true).map((service) => [service.name, service] as const))(
    'of %s are one baseline of the kit, one of its own, and later ones (decision 0045)',
    (name, { migrations }) => {
      const timeOf = (migration: MigrationClass) => Number(migration.name.slice(-13));
      const baselines = migrations.filter(({ replaces }) => replaces !== undefined);
      const stored = storedNameOf(name);
      const own = `${stored.slice(0, 1).toUpperCase()}${stored.slice(1)}Baseline1700001000001`;
      expect(baselines.map((baseline) => baseline.name)).toEqual(['KitBaseline1700001000000', own]);
      const later = migrations.filter(({ replaces }) => replaces === undefined);
      expect(Math.min(...later.map(timeOf))).toBeGreaterThan(Math.max(...baselines.map(timeOf)));
    },
  );

  it('create at least one index concurrently, and one in the usual way', async () => {
    const texts = await Promise.all(
      services.flatMap(({ migrations }) => migrations.map((migration) => statementsOf(migration))),
    );
    const text = texts.join(';\n');
    expect(text).toMatch(/CREATE INDEX CONCURRENTLY IF NOT EXISTS notification_webhooks_challenge_due_at ON/);
    expect([...text.matchAll(INDEX)].map(([, index]) => index)).toContain('webhook_deliveries_webhook');
  });
});
