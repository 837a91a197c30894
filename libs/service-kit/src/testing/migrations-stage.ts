import { createTestDatabase, waitFor } from '@fundrail/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently, migrate, type MigrationClass } from '../db.ts';
import { notesService } from './notes.service.ts';

/** Shorter waits than in production. */
const PATIENCE = { lockTimeoutMs: 300, pauseMs: 100, giveUpMs: 60_000 };
const ADD_NOTE = 'INSERT INTO notes (id, tenant, amount, words) VALUES ($1, $2, 1, $3)';

/** A migration of the next release with these statements. */
export function statements(timestamp: number, ...texts: readonly string[]): MigrationClass {
  const migration = class implements MigrationInterface {
    async up(runner: QueryRunner): Promise<void> {
      for (const text of texts) await runner.query(text);
    }

    down(): Promise<void> {
      return Promise.resolve();
    }
  };
  Object.defineProperty(migration, 'name', { value: `Statements${timestamp}` });
  return migration;
}

/** An index on the notes of a tenant, created like on a large table. */
export class NotesByTenant1900000000001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, { name: 'notes_tenant', on: 'notes (tenant)' });
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** The same with a unique index on the words. */
export class NotesByWords1900000000002 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, { name: 'notes_words', on: 'notes (words)', unique: true });
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** A database of the previous release that is in use. */
export class MigrationsStage {
  private readonly clients: pg.Client[] = [];

  private constructor(
    readonly url: string,
    private readonly dropDatabase: () => Promise<void>,
  ) {}

  static async open(): Promise<MigrationsStage> {
    const database = await createTestDatabase(notesService);
    return new MigrationsStage(database.url, () => database.drop());
  }

  /** Migrates to a release with these additional migrations. */
  upgrade(...more: readonly MigrationClass[]): Promise<void> {
    return this.upgradeWith({}, ...more);
  }

  upgradeWith(patience: Partial<typeof PATIENCE>, ...more: readonly MigrationClass[]): Promise<void> {
    const definition = { ...notesService, migrations: [...notesService.migrations, ...more] };
    return migrate(definition, this.url, { ...PATIENCE, ...patience });
  }

  /** A connection of a replica. Its statements wait for a lock no longer than a request does. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.url, options: '-c lock_timeout=5s' });
    client.on('error', () => undefined);
    await client.connect();
    this.clients.push(client);
    return client;
  }

  /** A transaction that has written a note and stays open. */
  async openTransaction(): Promise<{ commit(): Promise<void> }> {
    const client = await this.connect();
    await client.query('BEGIN');
    await client.query(ADD_NOTE, ['open', 't', 'open']);
    return { commit: async () => void (await client.query('COMMIT')) };
  }

  async write(id: string, words = id): Promise<void> {
    const client = await this.connect();
    await client.query(ADD_NOTE, [id, 't', words]);
  }

  async read<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = await this.connect();
    return (await client.query<Row>(text)).rows;
  }

  /** Whether each index of notes, except the primary key, is valid. */
  async indexes(): Promise<Record<string, boolean>> {
    const rows = await this.read<{ name: string; valid: boolean }>(
      `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index WHERE indrelid = 'notes'::regclass AND NOT indisprimary`,
    );
    return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
  }

  /** The recorded migrations of the next release, each as often as it was recorded. */
  async ran(): Promise<string[]> {
    const rows = await this.read<{ name: string }>(
      'SELECT name FROM migrations WHERE timestamp >= 1900000000000 ORDER BY id',
    );
    return rows.map(({ name }) => name);
  }

  /** Waits until so many migrators are connected, and one of them waits for a lock of PostgreSQL. */
  async migratorsAtWork(number: number): Promise<void> {
    const text = `SELECT count(*)::int AS n, count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS waiting
      FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'fundrail-migrate'`;
    const client = await this.connect();
    const seen = async () => {
      const { rows } = await client.query<{ n: number; waiting: number }>(text);
      return rows[0]?.n === number && rows[0].waiting > 0;
    };
    await waitFor(seen, { everyMs: 10, what: `${number} migrators` });
  }

  async close(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.end()));
    await this.dropDatabase();
  }
}
