import { sql } from '@fundrail/persistence';
import { createTestDatabase, FakeClock, waitFor, type TestDatabase } from '@fundrail/testing';
import { reconcileCommand } from '../bootstrap/reconcile-command.ts';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { Log } from '../logging/log.ts';
import { notesService } from '../testing/notes.service.ts';
import { ReconciliationCheck, type Allowed, type CheckPage, type Finding } from './reconciliation-check.ts';
import { ReconciliationLane } from './reconciliation.lane.ts';
import {
  askForRun,
  countFindings,
  DELETED_AT_ONCE,
  deleteRuns,
  leaseRun,
  readRun,
  saveRun,
} from './reconciliation.repository.ts';
import { started } from './run-steps.ts';

const START = new Date('2026-12-21T10:00:00+05:30');
const NIGHT = new Date('2026-12-22T02:30:00+05:30');
const reset = sql(
  'test.reset',
  `UPDATE reconciliation_run SET run = 0, phase = 'idle', due_at = NULL, leased_until = NULL, undone = '[]'`,
);
const endLease = sql('test.end_lease', 'UPDATE reconciliation_run SET leased_until = clock_timestamp()');
const fill = sql(
  'test.fill',
  `WITH seen AS (INSERT INTO reconciliation_seen SELECT 'played', n FROM generate_series(1, $1::int) AS n ON CONFLICT DO NOTHING)
   INSERT INTO reconciliation_findings (run, kind, object, check_name, facts, state, found_at)
   SELECT 1, 'event_gap', n, 'played', '{}', 'open', now() FROM generate_series(1, $1::int) AS n ON CONFLICT DO NOTHING`,
);
const left = sql(
  'test.left',
  `SELECT (SELECT count(*)::int FROM reconciliation_seen) AS seen, (SELECT count(*)::int FROM reconciliation_findings) AS findings`,
);
const empty = sql('test.empty', 'DELETE FROM reconciliation_findings');

/** Three pages of two objects. Those in `differing` do not agree; those in `repairable` can be repaired; repairs are counted. */
class PlayedCheck extends ReconciliationCheck {
  readonly name = 'played';
  readonly differing = new Set<string>();
  readonly repairable = new Set<string>();
  readonly breaking = new Set<string>();
  readonly cursors: (string | null)[] = [];
  /** Whether lost money was accepted, at each repair. */
  readonly allowed: boolean[] = [];
  silent = 0;
  /** How many more objects on the first page do not agree and cannot be repaired. */
  more = 0;

  page(cursor: string | null): Promise<CheckPage> {
    if (this.silent-- > 0) return Promise.reject(new Error('no answer'));
    this.cursors.push(cursor);
    const at = Number(cursor ?? 0);
    const objects = [`o${at}`, `o${at + 1}`];
    for (let n = 0; at === 0 && n < this.more; n += 1) {
      objects.push(`more${n}`);
      this.differing.add(`more${n}`);
      this.breaking.add(`more${n}`);
    }
    const found = objects.filter((object) => this.differing.has(object)).map(finding);
    return Promise.resolve({ found, next: at === 4 ? null : String(at + 2), looked: 2 });
  }

  again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return Promise.resolve(findings.filter(({ object }) => this.differing.has(object)));
  }

  override repair({ object }: Finding, { acceptLostMoney }: Allowed): Promise<boolean> {
    this.allowed.push(acceptLostMoney);
    if (this.breaking.has(object)) return Promise.reject(new Error('refused'));
    if (this.repairable.has(object)) this.differing.delete(object);
    return Promise.resolve(this.repairable.has(object));
  }
}

function finding(object: string): Finding {
  return { kind: 'event_gap', object, tenant: 'demo', facts: { object } };
}

describe('ReconciliationLane', () => {
  let test: TestDatabase;
  let database: Database;
  let clock: FakeClock;
  let check: PlayedCheck;
  let lane: ReconciliationLane;
  const newLane = () => new ReconciliationLane(clock, database, Log.to('test', 'silent'), [check]);
  beforeAll(async () => {
    test = await createTestDatabase(notesService);
  });
  beforeEach(async () => {
    clock = new FakeClock(START);
    database = await openDatabase(notesService, clock, { url: test.url, poolSize: 3, sandbox: false });
    await database.query(reset);
    await database.query(empty);
    check = new PlayedCheck();
    lane = newLane();
  });
  afterEach(() => database.dataSource.destroy());
  afterAll(() => test.drop());

  /** Lets seconds pass until the run has ended. */
  const untilEnded = async (lanes: readonly ReconciliationLane[] = [lane]) => {
    for (let seconds = 0; seconds < 300; seconds += 1) {
      clock.advance(1_000);
      for (const one of lanes) while ((await one.run(clock.now())) > 0);
      if ((await readRun(database)).phase === 'idle') return;
    }
    throw new Error('the run does not end');
  };
  const states = async (run: number) =>
    Object.fromEntries((await countFindings(database, run)).map(({ state, n }) => [state, n]));

  it('deletes earlier runs in pieces, and starts when they are deleted', async () => {
    await database.query(fill, [DELETED_AT_ONCE + 1]);
    expect([await deleteRuns(database, 3), ...(await database.query(left))]).toEqual([
      true,
      { seen: 1, findings: 1 },
    ]);
    await database.query(fill, [2 * DELETED_AT_ONCE]);
    await database.query(sql('test.later', 'UPDATE reconciliation_run SET run = 2'));
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    await untilEnded();
    expect(await database.query(left)).toEqual([{ seen: 0, findings: 0 }]);
  });

  it('runs every night at half past two in India', async () => {
    await lane.run(clock.now());
    clock.set(new Date(NIGHT.getTime() - 1));
    await lane.run(clock.now());
    expect(await readRun(database)).toMatchObject({ run: 0, phase: 'idle', due_at: NIGHT });
    clock.set(NIGHT);
    await untilEnded();
    const next = new Date(NIGHT.getTime() + 86_400_000);
    expect(await readRun(database)).toMatchObject({ run: 1, looked: 6, undone: [], due_at: next });
  });

  it('requested while the nightly run starts, is a separate run with the requested options', async () => {
    check.differing.add('o1');
    check.repairable.add('o1');
    await lane.run(clock.now());
    clock.set(NIGHT);
    const night = await leaseRun(database, NIGHT);
    if (!night) throw new Error('the night has nothing due');
    const options = { days: 3, settleMs: 0, acceptLostMoney: true };
    expect(await askForRun(database, options)).toBeNull();
    const args = ['--settle', '0', '--accept-lost-money'];
    const command = reconcileCommand(notesService, args, { ORDERS_DATABASE_URL: test.url }, () => undefined);
    await saveRun(database, night.lease, started(night, ['played'], NIGHT));
    // It ends before the requested run starts, so the requested run does not see what agrees by then.
    check.differing.clear();
    await untilEnded();
    check.differing.add('o1');
    await waitFor(async () => ((await readRun(database)).accept_lost_money ? true : null), {
      what: 'the second request of the command',
    });
    await untilEnded();
    expect([(await command).code, (await readRun(database)).run, check.allowed]).toEqual([0, 2, [true]]);
  });

  it('drops what agrees at the second check, repairs what it can, and leaves the rest open', async () => {
    for (const object of ['o1', 'o2', 'o5']) check.differing.add(object);
    check.repairable.add('o2');
    await askForRun(database, { days: 3, settleMs: 5_000, acceptLostMoney: false });
    await lane.run(clock.now());
    check.differing.delete('o1');
    await untilEnded();
    expect(await states(1)).toEqual({ repaired: 1, open: 1 });
  });

  it('continues after a crash on another replica, without skipping a page', async () => {
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    check.silent = 1;
    await lane.run(clock.now());
    await untilEnded([newLane(), newLane()]);
    expect(check.cursors).toEqual([null, '2', '4']);
  });

  it('leaves a check undone when the other side is silent for long, and reports it', async () => {
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    check.silent = 5;
    await untilEnded();
    expect(await readRun(database)).toMatchObject({ undone: ['played: no answer'] });
  });

  it('repairs the others when one cannot be repaired, and leaves that one open', async () => {
    for (const object of ['o1', 'o2', 'o5']) {
      check.differing.add(object);
      (object === 'o2' ? check.breaking : check.repairable).add(object);
    }
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    await untilEnded();
    expect(await states(1)).toEqual({ repaired: 2, open: 1 });
    // Two were tried once, and one five times.
    expect(check.allowed).toHaveLength(7);
    expect(await readRun(database)).toMatchObject({ undone: ['played: refused'] });
  });

  it('leaves a whole page open when nothing on it can be repaired, not a few at a time', async () => {
    check.more = 40;
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    await untilEnded();
    expect(await states(1)).toEqual({ open: 40 });
    // Three at each of the five attempts.
    expect(check.allowed).toHaveLength(15);
    expect(await readRun(database)).toMatchObject({ undone: ['played: refused'] });
  });

  it('repairs the others when the first few cannot be repaired', async () => {
    check.more = 3;
    check.differing.add('o1');
    check.repairable.add('o1');
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    await untilEnded();
    expect(await states(1)).toEqual({ open: 3, repaired: 1 });
    expect(await readRun(database)).toMatchObject({ undone: ['played: refused'] });
  });

  it('does not use what an operator allowed for one run in the next nightly run', async () => {
    await askForRun(database, { days: 30, settleMs: 0, acceptLostMoney: true });
    check.differing.add('o1');
    await untilEnded();
    clock.set(NIGHT);
    await untilEnded();
    expect(check.allowed).toEqual([true, false]);
    expect(await readRun(database)).toMatchObject({ run: 2, days: 3, settle_ms: 60_000 });
  });

  it('is not written by a replica with an expired lease', async () => {
    await askForRun(database, { days: 3, settleMs: 0, acceptLostMoney: false });
    const late = await leaseRun(database, clock.now());
    if (!late) throw new Error('the run was not due');
    await database.query(endLease);
    const next = await leaseRun(database, clock.now());
    expect(await saveRun(database, late.lease, { ...late, looked: 7 })).toBe(false);
    expect(next && (await saveRun(database, next.lease, { ...next, looked: 8 }))).toBe(true);
    expect(await readRun(database)).toMatchObject({ looked: 8 });
  });

  it('is not started twice: a request during a run joins it', async () => {
    const options = { days: 3, settleMs: 5_000, acceptLostMoney: false };
    await askForRun(database, options);
    await lane.run(clock.now());
    expect(await askForRun(database, options)).toBeNull();
  });
});
