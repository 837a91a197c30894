import { createTestDatabase, freePort, type TestDatabase } from '@fundrail/testing';
import type { MigrationInterface } from 'typeorm';
import { migrate } from '../db.ts';
import { notesService } from '../testing/notes.service.ts';
import { migrateCommand } from './migrate-command.ts';

class NextRelease1900000000000 implements MigrationInterface {
  up(): Promise<void> {
    return Promise.resolve();
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

/** The notes service of the next release, which has one more migration. */
const nextRelease = { ...notesService, migrations: [...notesService.migrations, NextRelease1900000000000] };
const MIGRATED = { code: 0, line: 'fundrail orders is migrated' };

describe('main.js migrate', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  const run = (args: string[], definition = notesService, url = database.url) =>
    migrateCommand(definition, args, { SANDBOX: 'true', ORDERS_DATABASE_URL: url });

  it('brings the database to the version of the build', async () => {
    expect((await run(['--check'])).code).toBe(1);
    expect(await run([])).toEqual(MIGRATED);
    expect(await run(['--check'])).toEqual(MIGRATED);
    expect(await run([])).toEqual(MIGRATED);
  });

  it('names the migrations that a database lacks', async () => {
    const all = notesService.migrations.map(({ name }) => name).join(', ');
    expect(await run(['--check'])).toEqual({
      code: 1,
      line: `fundrail orders is not migrated: ${all} did not run yet`,
    });
    await run([]);
    expect(await run(['--check'], nextRelease)).toEqual({
      code: 1,
      line: 'fundrail orders is not migrated: NextRelease1900000000000 did not run yet',
    });
  });

  it('accepts a database of a later release, which was only expanded', async () => {
    await migrate(nextRelease, database.url);
    expect(await run(['--check'])).toEqual(MIGRATED);
  });

  it('treats a missing database as one in which no migration ran', async () => {
    const missing = database.url.replace(database.name, `${database.name}_not`);
    expect(await run(['--check'], notesService, missing)).toMatchObject({
      code: 1,
      line: expect.stringContaining('did not run yet'),
    });
  });

  it('reports in one line that the server does not answer', async () => {
    const end = await run(['--check'], notesService, `postgres://127.0.0.1:${await freePort()}/x`);
    expect(end).toEqual({
      code: 1,
      line: expect.stringMatching(
        /^fundrail orders is not migrated: the database does not answer: .*ECONNREFUSED.*$/,
      ),
    });
  });

  it('waits until another process has migrated', async () => {
    const waiting = run(['--check', '--wait']);
    await migrate(notesService, database.url);
    expect(await waiting).toEqual(MIGRATED);
  });

  it('waits no longer than the given limit', async () => {
    expect((await run(['--check', '--wait=1'])).code).toBe(1);
  });

  it.each([[['--chek']], [['--check', '--wait=soon']], [['--wait']], [['--check', '--wait', '--more']]])(
    'does not guess what %j means',
    async (args) => {
      expect(await run(args)).toEqual({
        code: 2,
        line: 'usage: main.js migrate [--check [--wait[=SECONDS]]]',
      });
    },
  );

  it('refuses a wrong variable before it touches anything', async () => {
    const env = { ORDERS_DATABASE_URL: database.url, EVENT_BUS: 'kafka' };
    await expect(migrateCommand(notesService, [], env)).rejects.toThrow('KAFKA_BROKERS is required');
    expect((await run(['--check'])).code).toBe(1);
  });
});
