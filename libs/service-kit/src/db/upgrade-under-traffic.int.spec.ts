import {
  MigrationsStage,
  NotesByTenant1900000000001,
  NotesByWords1900000000002,
  statements,
} from '../testing/migrations-stage.ts';

const ADD_COLUMN = statements(1900000000000, 'ALTER TABLE notes ADD COLUMN colour text');

describe('an upgrade of a database that is in use', () => {
  let stage: MigrationsStage;
  beforeEach(async () => {
    stage = await MigrationsStage.open();
  });
  afterEach(() => stage.close());

  it('does not block writers while an index is created and waits for a transaction', async () => {
    const open = await stage.openTransaction();
    const upgrade = stage.upgrade(NotesByTenant1900000000001);
    await stage.migratorsAtWork(1);
    await stage.write('meanwhile');
    const before = await stage.indexes();
    await open.commit();
    await upgrade;
    expect([before, await stage.indexes()]).toEqual([{ notes_tenant: false }, { notes_tenant: true }]);
  });

  it('does not block writers while an ALTER waits for a transaction, and runs it when that has ended', async () => {
    const open = await stage.openTransaction();
    const upgrade = stage.upgrade(ADD_COLUMN);
    await stage.migratorsAtWork(1);
    await stage.write('meanwhile');
    const before = await stage.ran();
    await open.commit();
    await upgrade;
    expect([before, await stage.ran()]).toEqual([[], ['Statements1900000000000']]);
  });

  it('reports an open transaction when an ALTER never gets its lock', async () => {
    const open = await stage.openTransaction();
    await expect(stage.upgradeWith({ giveUpMs: 500 }, ADD_COLUMN)).rejects.toThrow(
      'it waits for an open transaction',
    );
    await open.commit();
  });

  it('runs each migration once when two migrators start', async () => {
    const open = await stage.openTransaction();
    const first = stage.upgrade(ADD_COLUMN, NotesByWords1900000000002);
    await stage.migratorsAtWork(1);
    const second = stage.upgrade(ADD_COLUMN, NotesByWords1900000000002);
    await stage.migratorsAtWork(2);
    await open.commit();
    await Promise.all([first, second]);
    expect(await stage.ran()).toEqual(['Statements1900000000000', 'NotesByWords1900000000002']);
  });

  it('creates an index while a second migrator waits for the first', async () => {
    const open = await stage.openTransaction();
    const first = stage.upgrade(NotesByTenant1900000000001);
    await stage.migratorsAtWork(1);
    const second = stage.upgrade(NotesByTenant1900000000001);
    await stage.migratorsAtWork(2);
    await open.commit();
    await Promise.all([first, second]);
    expect([await stage.ran(), await stage.indexes()]).toEqual([
      ['NotesByTenant1900000000001'],
      { notes_tenant: true },
    ]);
  });

  it('names the process when another migrator never ends', async () => {
    const other = await stage.connect();
    await other.query('SELECT pg_advisory_lock(7266001)');
    await expect(stage.upgradeWith({ giveUpMs: 300 }, ADD_COLUMN)).rejects.toThrow(
      /another migrator .*\(process \d+ of PostgreSQL/,
    );
    expect(await stage.ran()).toEqual([]);
  });

  it('replaces an index that was left invalid', async () => {
    await stage.write('one', 'same');
    await stage.write('two', 'same');
    await expect(stage.upgrade(NotesByWords1900000000002)).rejects.toThrow('could not create unique index');
    const left = await stage.indexes();
    await stage.read("DELETE FROM notes WHERE id = 'two'");
    await stage.upgrade(NotesByWords1900000000002);
    expect([left, await stage.indexes()]).toEqual([{ notes_words: false }, { notes_words: true }]);
    await expect(stage.write('three', 'same')).rejects.toThrow('notes_words');
  });

  it('accepts an existing index after a crash before its migration was recorded', async () => {
    await stage.upgrade(NotesByTenant1900000000001);
    const id = "SELECT 'notes_tenant'::regclass::oid AS id";
    const made = await stage.read(id);
    await stage.read('DELETE FROM migrations WHERE timestamp >= 1900000000000');
    await stage.upgrade(NotesByTenant1900000000001);
    expect([await stage.read(id), await stage.ran()]).toEqual([made, ['NotesByTenant1900000000001']]);
  });

  it('keeps the migrations before a failing one, rolls the failing one back, and continues with it', async () => {
    const failing = ['CREATE TABLE half ()', 'SELECT 1 / (SELECT count(*) FROM notes)'];
    const fails = statements(1900000000003, ...failing);
    const last = statements(1900000000004, 'CREATE TABLE last ()');
    await expect(stage.upgrade(ADD_COLUMN, fails, last)).rejects.toThrow('division by zero');
    const before = [await stage.ran(), await stage.read("SELECT to_regclass('half') AS half")];
    await stage.write('the first note');
    await stage.upgrade(ADD_COLUMN, fails, last);
    expect(before).toEqual([['Statements1900000000000'], [{ half: null }]]);
    expect(await stage.ran()).toEqual([
      'Statements1900000000000',
      'Statements1900000000003',
      'Statements1900000000004',
    ]);
  });
});
