import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { HousekeepingLane, type Look } from '../housekeeping/housekeeping-lane.ts';
import type { Log } from '../logging/log.ts';
import type { Finding, ReconciliationCheck, Window } from './reconciliation-check.ts';
import {
  checkWith,
  countFindings,
  dropFinding,
  findingsOf,
  forgetRuns,
  keepFindings,
  leaseRun,
  saveRun,
  scheduleFirst,
  settleFinding,
  type KeptFinding,
  type Run,
} from './reconciliation.repository.ts';
import { begun, ended, failed, inPhase, isLastTry, lookedAt, nextNight } from './run-steps.ts';

const DAY_MS = 86_400_000;
/** Findings looked at again in one step. */
const MOST = 50;
/** So many in one step that cannot be repaired, and the step ends: each may have waited for a neighbour, and the lease goes on. */
const MOST_FAILURES = 3;

interface Unsettled {
  readonly finding: KeptFinding;
  readonly error: unknown;
}

/**
 * Runs a service's checks every night, and whenever somebody asks (`npm run reconcile`), one page a step; the row of the run says
 * how far it has come, so it goes on after a crash, on any replica (decision 0026). What does not agree is looked at again after a
 * pause, because rows change meanwhile; what still does not is asked again where that may mend it, and looked at a last time.
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
    if (after.phase === 'idle') await this.tell(after);
    return after.due_at && after.due_at <= this.clock.now() ? 'more' : 'done';
  }

  private async step(run: Run, businessNow: Date): Promise<Run> {
    if (run.phase === 'idle') {
      while (await forgetRuns(this.database, run.run + 1));
      return begun(run, this.names, this.clock.now());
    }
    const window = this.windowOf(run, businessNow);
    return run.phase === 'looking' ? this.lookThrough(run, window) : this.lookAgain(run, window);
  }

  private get names(): readonly string[] {
    return [...this.byName.keys()];
  }

  private async lookThrough(run: Run, window: Window): Promise<Run> {
    const check = this.byName.get(run.check_name ?? '');
    // A check of an older release, whose run this one goes on with.
    if (!check) return lookedAt(run, { looked: 0, next: null }, this.names, this.clock.now());
    try {
      const page = await check.page(run.cursor, window);
      await keepFindings(this.database, run.run, check.name, page.found);
      return lookedAt(run, page, this.names, this.clock.now());
    } catch (error) {
      return failed(run, this.why(check.name, error), this.names, this.clock.now());
    }
  }

  private async lookAgain(run: Run, window: Window): Promise<Run> {
    const state = run.phase === 'again' ? 'suspected' : 'asked';
    const name = await checkWith(this.database, run.run, state);
    if (name === null) return this.nextPhase(run);
    const findings = await findingsOf(this.database, run.run, state, name, MOST);
    try {
      const still = (await this.byName.get(name)?.again(findings, window)) ?? [];
      if (run.phase === 'again') await this.keepNew(run, name, findings, still);
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
   * Settles what can be, and answers what cannot: one that cannot be repaired holds up no other, as each try begins behind those of
   * the one before. Where none can be, whoever repairs them is not there, and the rest of the page goes with the few that were tried:
   * else ten thousand would take most of a day.
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

  /** They come again; at the last try they are left for a person. */
  private async unsettled(run: Run, check: string, failures: readonly Unsettled[]): Promise<Run> {
    if (isLastTry(run))
      for (const { finding } of failures) await settleFinding(this.database, run.run, finding, 'open');
    return failed(run, this.why(check, failures[0]?.error), this.names, this.clock.now());
  }

  /** What has become another disagreement about the same object meanwhile is looked at once more as that. */
  private async keepNew(
    run: Run,
    check: string,
    findings: readonly Finding[],
    still: readonly Finding[],
  ): Promise<void> {
    const isKnown = (found: Finding) =>
      findings.some(({ kind, object }) => kind === found.kind && object === found.object);
    await keepFindings(
      this.database,
      run.run,
      check,
      still.filter((found) => !isKnown(found)),
    );
  }

  private async settle(run: Run, finding: KeptFinding, still: readonly Finding[]): Promise<void> {
    const standing = still.find(({ kind, object }) => kind === finding.kind && object === finding.object);
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

  /** One line a run, and a warning where something is left for a person. */
  private async tell(run: Run): Promise<void> {
    const counts = await countFindings(this.database, run.run);
    const found = Object.fromEntries(counts.map(({ kind, state, n }) => [`${kind}.${state}`, n]));
    const about = { run: run.run, looked: run.looked, undone: run.undone.length, ...found };
    const isLeft = run.undone.length > 0 || counts.some(({ state }) => state === 'open');
    if (isLeft) this.log.warn('reconciliation has left something for a person', about);
    else this.log.info('reconciliation has ended', about);
  }
}
