import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { HousekeepingLane, type Look } from '../housekeeping/housekeeping-lane.ts';
import type { Log } from '../logging/log.ts';
import type { Finding, ReconciliationCheck, Window } from './reconciliation-check.ts';
import {
  checkWith,
  countFindings,
  deleteRuns,
  dropFinding,
  findingsOf,
  keepFindings,
  leaseRun,
  saveRun,
  scheduleFirst,
  settleFinding,
  type KeptFinding,
  type Run,
} from './reconciliation.repository.ts';
import { ended, failed, inPhase, isLastTry, lookedAt, nextNight, started } from './run-steps.ts';

const DAY_MS = 86_400_000;
/** Findings that are checked again in one step. */
const MOST = 50;
/** After this many failed repairs the step ends, because each may have waited for another service while the lease runs. */
const MOST_FAILURES = 3;

interface Unsettled {
  readonly finding: KeptFinding;
  readonly error: unknown;
}

/**
 * Runs a service's checks every night and on request (`npm run reconcile`), one page in each step. The row of the run stores the
 * progress, so any replica can continue after a crash (decision 0026). What does not agree is checked again after a pause, because
 * rows change meanwhile. What still does not agree is repaired where a repeated call may help, and checked a last time.
 */
export class ReconciliationLane extends HousekeepingLane {
  readonly name = 'reconciliation';
  protected readonly pace = { everyMs: 1_000 };
  private readonly byName: ReadonlyMap<string, ReconciliationCheck>;
  private isScheduled = false;

  constructor(
    clock: Clock,
    private readonly database: Database,
    private readonly log: Log,
    checks: readonly ReconciliationCheck[],
  ) {
    super(clock);
    this.byName = new Map(checks.map((check) => [check.name, check]));
  }

  protected async look(businessNow: Date): Promise<Look> {
    const wallNow = this.clock.now();
    if (!this.isScheduled) await scheduleFirst(this.database, nextNight(wallNow));
    this.isScheduled = true;
    const run = await leaseRun(this.database, wallNow);
    if (!run) return 'done';
    const after = await this.step(run, businessNow);
    if (!(await saveRun(this.database, run.lease, after))) return 'done';
    if (after.phase === 'idle') await this.logResult(after);
    return after.due_at && after.due_at <= this.clock.now() ? 'more' : 'done';
  }

  private async step(run: Run, businessNow: Date): Promise<Run> {
    if (run.phase === 'idle') {
      while (await deleteRuns(this.database, run.run + 1));
      return started(run, this.names, this.clock.now());
    }
    return run.phase === 'looking' ? this.lookThrough(run, businessNow) : this.lookAgain(run);
  }

  private get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  private async lookThrough(run: Run, businessNow: Date): Promise<Run> {
    const check = this.byName.get(run.check_name ?? '');
    // A check of an older release, which started this run.
    if (!check) return lookedAt(run, { looked: 0, next: null }, this.names, this.clock.now());
    try {
      const page = await check.page(run.cursor, this.windowOf(run, businessNow));
      await keepFindings(this.database, run.run, check.name, page.found);
      return lookedAt(run, page, this.names, this.clock.now());
    } catch (error) {
      return failed(run, this.why(check.name, error), this.names, this.clock.now());
    }
  }

  private async lookAgain(run: Run): Promise<Run> {
    const state = run.phase === 'again' ? 'suspected' : 'asked';
    const name = await checkWith(this.database, run.run, state);
    if (name === null) return this.nextPhase(run);
    const findings = await findingsOf(this.database, { run: run.run, check: name, state }, MOST);
    try {
      const still = (await this.byName.get(name)?.again(findings)) ?? [];
      // New disagreements about the same objects are checked again too.
      const fresh = still.filter((found) => !findings.some(isAbout(found)));
      if (run.phase === 'again') await keepFindings(this.database, run.run, name, fresh);
      const failures = await this.settleAll(run, findings, still);
      return failures.length === 0
        ? { ...run, failures: 0, due_at: this.clock.now() }
        : await this.unsettled(run, name, failures);
    } catch (error) {
      return this.unsettled(
        run,
        name,
        findings.map((finding) => ({ finding, error })),
      );
    }
  }

  /**
   * Settles findings and returns those that cannot be settled. A finding that cannot be repaired does not block the others, because
   * each attempt starts after those of the attempt before. When none can be repaired, the other side is down, and the whole page
   * fails with the few that were tried; otherwise ten thousand findings would take most of a day.
   */
  private async settleAll(
    run: Run,
    findings: readonly KeptFinding[],
    still: readonly Finding[],
  ): Promise<readonly Unsettled[]> {
    const failures: Unsettled[] = [];
    let isAnySettled = false;
    const begin = (run.failures * MOST_FAILURES) % findings.length;
    for (const finding of [...findings.slice(begin), ...findings.slice(0, begin)]) {
      if (failures.length === MOST_FAILURES) break;
      try {
        await this.settle(run, finding, still);
        isAnySettled = true;
      } catch (error) {
        failures.push({ finding, error });
      }
    }
    const [first] = failures;
    return first && !isAnySettled ? findings.map((finding) => ({ ...first, finding })) : failures;
  }

  /** Retries the findings; at the last attempt they stay open. */
  private async unsettled(run: Run, check: string, failures: readonly Unsettled[]): Promise<Run> {
    if (isLastTry(run))
      for (const { finding } of failures) await settleFinding(this.database, run.run, finding, 'open');
    return failed(run, this.why(check, failures[0]?.error), this.names, this.clock.now());
  }

  private async settle(run: Run, finding: KeptFinding, still: readonly Finding[]): Promise<void> {
    const standing = still.find(isAbout(finding));
    if (run.phase === 'last')
      return settleFinding(this.database, run.run, standing ?? finding, standing ? 'open' : 'repaired');
    if (!standing) return dropFinding(this.database, run.run, finding);
    const allowed = { acceptLostMoney: run.accept_lost_money };
    const isAsked = (await this.byName.get(finding.check_name)?.repair(standing, allowed)) ?? false;
    return settleFinding(this.database, run.run, standing, isAsked ? 'asked' : 'open');
  }

  private async nextPhase(run: Run): Promise<Run> {
    const now = this.clock.now();
    const isAnyAsked = (await checkWith(this.database, run.run, 'asked')) !== null;
    return run.phase === 'again' && isAnyAsked ? inPhase(run, 'last', now) : ended(run, now);
  }

  private windowOf({ started_at, days }: Run, businessNow: Date): Window {
    const wallNow = this.clock.now();
    const wallTo = started_at ?? wallNow;
    const ahead = businessNow.getTime() - wallNow.getTime();
    const to = new Date(wallTo.getTime() + ahead);
    const back = (time: Date) => new Date(time.getTime() - days * DAY_MS);
    return { from: back(to), to, wallFrom: back(wallTo), wallTo };
  }

  private why(check: string, error: unknown): string {
    this.log.warn('reconciliation could not compare', { check, why: String(error) });
    return `${check}: ${error instanceof Error ? error.message : String(error)}`;
  }

  /** Logs one line for each run, a warning when something is open or undone. */
  private async logResult(run: Run): Promise<void> {
    const counts = await countFindings(this.database, run.run);
    const found = Object.fromEntries(counts.map(({ kind, state, n }) => [`${kind}.${state}`, n]));
    const about = { run: run.run, looked: run.looked, undone: run.undone.length, ...found };
    const isLeft = run.undone.length > 0 || counts.some(({ state }) => state === 'open');
    if (isLeft) this.log.warn('reconciliation has ended with open findings or undone checks', about);
    else this.log.info('reconciliation has ended', about);
  }
}

function isAbout({ kind, object }: Finding): (other: Finding) => boolean {
  return (other) => other.kind === kind && other.object === object;
}
