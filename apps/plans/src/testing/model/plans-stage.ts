import { newId, type ErrorCode, type MfRedemptionPlanDto } from '@fundrail/contracts';
import { emptying, setFaultHandler, waitForRest, type Answered, type AskOptions } from '@fundrail/testing';
import type { GatewayPlanStatus } from '@fundrail/providers';
import type { PlansFaultPoint } from '../../fault-points.ts';
import { aMandate, MANDATE } from '../plan.builder.ts';
import { PlansUnderTest } from '../plans-under-test.ts';
import { facts } from '../fake-plan-gateway.ts';
import type { Terms } from './reference-plan.ts';

/** Two schedulers, two plans in a batch, and a clock that is read when it is moved. */
const REPLICAS = 2;
const VARIABLES = { PLANS_GENERATION_BATCH: '2', DUE_POLL_MS: '1000' };
const CALENDAR = ['holidays', 'holiday_years', 'business_calendar'];
/** More than the connections of a replica. */
const MOST_TRIES = 50;
const IN_USE = 'IDEMPOTENCY_KEY_IN_USE' satisfies ErrorCode;
const LET_KEYS_GO = `UPDATE idempotency_keys SET held_until = clock_timestamp() - interval '1 ms' WHERE status IS NULL`;
const KEPT = ['migrations', 'business_clock', ...CALENDAR];
const RESTORE = `
  DELETE FROM holidays; DELETE FROM holiday_years;
  INSERT INTO holiday_years SELECT * FROM kept_holiday_years; INSERT INTO holidays SELECT * FROM kept_holidays;
  UPDATE business_calendar b SET moved = k.moved, generate_at = k.generate_at
    FROM kept_business_calendar k WHERE k.day = b.day AND k.moved <> b.moved;`;

/** How a scheduler fails at a fault point: its work throws there, or every connection to its database is cut. */
export type Breakage = 'error' | 'cut';

/** The real service as two replicas on one database, with a simulated environment. */
export class PlansStage {
  /** Which of the two schedulers are running. */
  readonly isUp = [true, true];
  private readonly registrations = new Map<string, Terms['registration']>();
  private breaks = false;
  private hasNewHolidays = false;
  private turn = 0;

  private constructor(
    readonly service: PlansUnderTest,
    private readonly emptying: string,
  ) {
    service.gateway.onRegister = (reference) => ({
      kind: 'yes',
      value: registration(this.registrations.get(reference) ?? 'registered'),
    });
  }

  static async start(): Promise<PlansStage> {
    const service = await PlansUnderTest.start(REPLICAS, VARIABLES);
    for (const table of CALENDAR) await service.rows(`CREATE TABLE kept_${table} AS TABLE ${table}`);
    const keeps = (table: string) => KEPT.includes(table) || table.startsWith('kept_');
    return new PlansStage(service, await emptying(service.service, keeps));
  }

  stop(): Promise<void> {
    return this.service.stop();
  }

  /** Deletes all data and starts again at this time. */
  async begin(at: Date): Promise<void> {
    this.recover();
    await this.quiet();
    await this.service.rows(this.emptying);
    if (this.hasNewHolidays) await this.service.rows(RESTORE);
    this.hasNewHolidays = false;
    this.registrations.clear();
    this.service.gateway.calls.length = 0;
    this.service.log.length = 0;
    this.service.neighbours.mandates.set(MANDATE, aMandate());
    this.service.clock.set(at);
  }

  get now(): number {
    return this.service.clock.now().getTime();
  }

  /** Whether any scheduler generates. */
  get isRunning(): boolean {
    return this.isUp.some((isUp) => isUp);
  }

  /** Starts both schedulers and removes all faults. */
  recover(): void {
    for (const index of this.isUp.keys()) this.startScheduler(index);
    this.breaks = false;
    // A handler that stops at no existing point.
    setFaultHandler('none');
  }

  async stopScheduler(index: number): Promise<void> {
    await this.service.replicas[index]?.dueWorker.stop();
    this.isUp[index] = false;
  }

  startScheduler(index: number): void {
    this.service.replicas[index]?.dueWorker.start();
    this.isUp[index] = true;
  }

  registers(plan: string, how: Terms['registration']): void {
    this.registrations.set(plan, how);
  }

  /** Causes a failure at the next pass of this fault point. */
  breakOnce(point: PlansFaultPoint, how: Breakage): void {
    const fault = setFaultHandler(point);
    this.breaks = true;
    void fault.reached.then(async () => {
      if (how === 'cut') await this.cutConnections();
      this.breaks = false;
      if (how === 'cut') fault.resume();
      else fault.fail(new Error(`it broke at ${point}`));
    });
  }

  /** A client's request to one of the two replicas. It is retried with its key when the service fails during it. */
  async ask<T = MfRedemptionPlanDto>(
    method: 'GET' | 'POST' | 'PATCH',
    url: string,
    options: AskOptions = {},
  ): Promise<Answered<T>> {
    this.turn += 1;
    const asked = {
      at: this.turn % REPLICAS,
      ...(method === 'GET' ? {} : { key: newId('event') }),
      ...options,
    };
    return this.patiently(() => this.service.ask<T>(method, url, asked));
  }

  /** Repeats the call while it fails. A replica that has lost its connections can fail more than once. */
  async patiently<T>(doing: () => Promise<Answered<T>>): Promise<Answered<T>> {
    const mayBreak = this.breaks;
    let answer = await doing();
    for (let tries = 0; mayBreak && isToAskAgain(answer) && tries < MOST_TRIES; tries += 1) {
      // A replica without its database cannot release the key either. The key stays held for a minute, which this statement ends.
      await this.service.rows(LET_KEYS_GO);
      answer = await doing();
    }
    return answer;
  }

  async replaceHolidays(year: number, dates: readonly string[]): Promise<Answered<unknown>> {
    this.hasNewHolidays = true;
    const body = { year, dates, source: 'the model' };
    return this.ask<unknown>('POST', '/admin/holidays', { body, scope: 'admin' });
  }

  wake(): void {
    this.service.wake();
  }

  /** Every step that plans have taken since the start. */
  async triggers(): Promise<string[]> {
    const text = 'SELECT DISTINCT trigger FROM redemption_plan_history';
    return (await this.service.rows<{ trigger: string }>(text)).map(({ trigger }) => trigger);
  }

  /** Waits until nothing is due or in progress, twice in a row. With stopped schedulers, waits only until nothing is in progress. */
  quiet(): Promise<void> {
    return waitForRest(() => this.isStill(), { everyMs: 2, limitMs: 60_000 });
  }

  private async isStill(): Promise<boolean> {
    const { replicas } = this.service;
    const [first] = replicas;
    if (!first) throw new Error('a service has at least one replica');
    const { due } = await first.dueWorker.countDue(await first.database.now());
    const inFlight = replicas.reduce((sum, { dueWorker }) => sum + dueWorker.inFlight, 0);
    if (!this.isRunning) return inFlight === 0;
    if (due > 0) this.wake();
    return due + inFlight === 0;
  }

  private async cutConnections(): Promise<void> {
    await this.service.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }
}

function isToAskAgain({ status, body }: Answered<unknown>): boolean {
  return status >= 500 || (status === 409 && JSON.stringify(body).includes(IN_USE));
}

function registration(how: Terms['registration']): GatewayPlanStatus {
  const review = { result: 'passed' } as const;
  if (how === 'refused') return facts({ review, registration: { result: how, failure_code: 'model' } });
  return facts({ review, registration: { result: how } });
}
