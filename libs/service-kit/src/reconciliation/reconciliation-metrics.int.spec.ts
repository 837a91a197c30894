import { createTestDatabase, FakeClock, type TestDatabase } from '@fundrail/testing';
import { Registry } from 'prom-client';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { Log } from '../logging/log.ts';
import { Lookups } from '../metrics/lookups.ts';
import { notesService } from '../testing/notes.service.ts';
import { ReconciliationCheck, type CheckPage, type Finding } from './reconciliation-check.ts';
import { addReconciliationMetrics } from './reconciliation-metrics.ts';
import { ReconciliationLane } from './reconciliation.lane.ts';
import { askForRun, readRun } from './reconciliation.repository.ts';

const START = new Date('2026-12-21T10:00:00+05:30');
const FINDINGS = 'fundrail_reconciliation_findings';
const LAST_END = 'fundrail_reconciliation_last_end_timestamp_seconds';

/** One page. The objects in `differing` do not agree; a repair fixes those in `repairable`. */
class PlayedCheck extends ReconciliationCheck {
  readonly name = 'played';
  readonly differing = new Set<string>();
  readonly repairable = new Set<string>();
  isSilent = false;

  page(): Promise<CheckPage> {
    if (this.isSilent) return Promise.reject(new Error('no answer'));
    return Promise.resolve({ found: this.found(), next: null, looked: 2 });
  }

  again(findings: readonly Finding[]): Promise<readonly Finding[]> {
    return Promise.resolve(findings.filter(({ object }) => this.differing.has(object)));
  }

  override repair({ object }: Finding): Promise<boolean> {
    if (this.repairable.has(object)) this.differing.delete(object);
    return Promise.resolve(this.repairable.has(object));
  }

  private found(): Finding[] {
    return [...this.differing].map((object) => ({ kind: 'event_gap', object, tenant: 'demo', facts: {} }));
  }
}

describe('the metrics of reconciliation', () => {
  let test: TestDatabase;
  let database: Database;
  let clock: FakeClock;
  let check: PlayedCheck;
  let lane: ReconciliationLane;
  let registry: Registry;
  let lookups: Lookups;
  beforeEach(async () => {
    test = await createTestDatabase(notesService);
    clock = new FakeClock(START);
    database = await openDatabase(notesService, clock, { url: test.url, poolSize: 3, sandbox: false });
    check = new PlayedCheck();
    lane = new ReconciliationLane(clock, database, Log.to('test', 'silent'), [check]);
    registry = new Registry();
    lookups = new Lookups(registry);
    addReconciliationMetrics({ gauges: (definitions, look) => lookups.add(definitions, look) }, database);
  });
  afterEach(async () => {
    await database.dataSource.destroy();
    await test.drop();
  });

  const ask = () => askForRun(database, { days: 3, settleMs: 5_000, acceptLostMoney: false });
  const untilEnded = async () => {
    for (let seconds = 0; seconds < 300; seconds += 1) {
      clock.advance(1_000);
      while ((await lane.run(clock.now())) > 0);
      if ((await readRun(database)).phase === 'idle') return;
    }
    throw new Error('the run does not end');
  };
  const runOnce = async () => {
    await ask();
    await untilEnded();
  };
  /** The values of a scrape: the findings of `event_gap` by state, of all other kinds together, and the end of the last complete run. */
  const scraped = async () => {
    await lookups.run();
    const values = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values ?? [];
    const findings = await values(FINDINGS);
    const of = (state: string) =>
      findings.find(({ labels }) => labels['kind'] === 'event_gap' && labels['state'] === state)?.value;
    const others = findings
      .filter(({ labels }) => labels['kind'] !== 'event_gap')
      .reduce((sum, { value }) => sum + value, 0);
    return { open: of('open'), repaired: of('repaired'), others, end: (await values(LAST_END))[0]?.value };
  };
  const seconds = (time: Date) => time.getTime() / 1000;

  it('show every kind with 0, and no end, before the first run', async () => {
    expect(await scraped()).toEqual({ open: 0, repaired: 0, others: 0, end: 0 });
  });

  it('show open and repaired findings, until a later run finds that everything agrees', async () => {
    for (const object of ['o1', 'o2', 'o3']) check.differing.add(object);
    check.repairable.add('o3');
    await runOnce();
    expect(await scraped()).toEqual({ open: 2, repaired: 1, others: 0, end: seconds(clock.now()) });
    check.differing.clear();
    await runOnce();
    expect(await scraped()).toEqual({ open: 0, repaired: 0, others: 0, end: seconds(clock.now()) });
  });

  it('show the last ended run while the next one is under way', async () => {
    check.differing.add('o1');
    await runOnce();
    const before = await scraped();
    check.differing.add('o2');
    await ask();
    clock.advance(1_000);
    while ((await lane.run(clock.now())) > 0);
    expect(await readRun(database)).toMatchObject({ run: 2, phase: 'again', ended_at: null });
    expect(await scraped()).toEqual(before);
    await untilEnded();
    expect(await scraped()).toMatchObject({ open: 2, end: seconds(clock.now()) });
  });

  it('do not show the end of a run that could not compare everything', async () => {
    await runOnce();
    const { end } = await scraped();
    check.isSilent = true;
    await runOnce();
    expect(await readRun(database)).toMatchObject({ run: 2, undone: ['played: no answer'] });
    expect(await scraped()).toMatchObject({ end });
    check.isSilent = false;
    await runOnce();
    expect(await scraped()).toMatchObject({ end: seconds(clock.now()) });
  });
});
