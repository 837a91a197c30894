import type { CommitSignal, Transactions } from '@fundrail/persistence';
import {
  faultPoint,
  inSpan,
  NO_TRACING,
  type OpenSpan,
  type SpanFacts,
  type Tracing,
} from '@fundrail/messaging';
import { randomUUID } from 'node:crypto';
import { outsideRequests } from '../http/request-context.ts';
import type { Log } from '../logging/log.ts';
import type { LeasedDue } from './due-batch.ts';
import type { DueHandler, DueLane, DueResult } from './due-work.ts';
import type { DueWorkRepository, EarliestDue } from './due-work.repository.ts';
import { LaneRunner } from './lane-runner.ts';
import { PollPace } from './poll-pace.ts';

interface DueWorkerOptions {
  /** Wall milliseconds between two polls (`DUE_POLL_MS`); four times that while there has been no work for 10 s. */
  readonly pollMs: number;
  /** Wall milliseconds after which unfinished work may be run again, here or elsewhere (`DUE_LEASE_MS`). */
  readonly leaseMs: number;
  /** How many handlers run at the same time in this process (`DUE_CONCURRENCY`). */
  readonly concurrency: number;
  /** Records the spans of due work; no spans when left out. */
  readonly tracing?: Tracing;
}

interface LanesDue {
  readonly due: number;
  readonly background: number;
  readonly earliest: Date | null;
}

/** How due work ended: what follows from the handler's result, or `failed` when it threw. */
type DueEnd = 'done' | 'later' | 'again' | 'failed';

/**
 * Runs the due work of one service: rows of `due_work` by the handler of their kind, and the service's own lanes. Any number of
 * replicas may run; the lease ensures that only one handles a row at a time. It polls every `pollMs`, and less often when there has been
 * no work for a while. A commit that signalled wakes immediately what its signal is for, and no other lane.
 */
export class DueWorker {
  private readonly handlers = new Map<string, DueHandler>();
  private readonly lanes: LaneRunner[] = [];
  private readonly running = new Map<Promise<void>, string>();
  private timer: NodeJS.Timeout | null = null;
  private listening: (() => void)[] = [];
  private polling: Promise<void> | null = null;
  private reportEnd: (kind: string, end: DueEnd) => void = () => undefined;
  private pollAgain = false;
  private hasMore = false;
  private readonly pace = new PollPace();
  private readonly tracing: Tracing;

  constructor(
    private readonly database: Transactions,
    private readonly rows: DueWorkRepository,
    private readonly log: Log,
    private readonly options: DueWorkerOptions,
  ) {
    this.tracing = options.tracing ?? NO_TRACING;
  }

  /** Registers a handler. `bootstrap` does so for every `@HandlesDue` it finds. Throws when the kind has a handler already. */
  addHandler(handler: DueHandler): void {
    if (this.handlers.has(handler.kind)) throw new Error(`the due kind ${handler.kind} has two handlers`);
    this.handlers.set(handler.kind, handler);
  }

  addLane(lane: DueLane): void {
    this.lanes.push(new LaneRunner(lane, this.database, this.log, this.tracing, () => this.noteWork()));
  }

  /** Sets a listener for each work that this process has ended. */
  onEnd(listener: (kind: string, end: DueEnd) => void): void {
    this.reportEnd = listener;
  }

  start(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.pace.polls(performance.now()) && this.wake(), this.options.pollMs);
    this.listening = [this.onSignal('due', () => this.look())];
    for (const runner of this.lanes)
      for (const signal of [runner.lane.signal ?? []].flat())
        this.listening.push(this.onSignal(signal, () => runner.wake('known')));
    this.wake();
  }

  /** Takes no more work, and resolves when running work has ended. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    for (const stopListening of this.listening) stopListening();
    await this.polling;
    await Promise.all([...this.running.keys(), ...this.lanes.map((lane) => lane.stop())]);
  }

  /** Polls now: all lanes and the rows of `due_work`. */
  wake(): void {
    if (!this.timer) return;
    for (const lane of this.lanes) lane.wake();
    this.look();
  }

  /** What a commit has left may be due a little later, so it counts as work. */
  private onSignal(signal: CommitSignal, wake: () => void): () => void {
    return this.database.onSignal(signal, () => {
      this.noteWork();
      wake();
    });
  }

  private noteWork(): void {
    this.pace.noteWork(performance.now());
  }

  /** Looks for rows. All calls during a look together cause one more. */
  private look(): void {
    if (!this.timer) return;
    if (this.polling) {
      this.pollAgain = true;
      return;
    }
    this.polling = outsideRequests(() => this.poll()).finally(() => {
      this.polling = null;
      if (!this.pollAgain) return;
      this.pollAgain = false;
      this.look();
    });
  }

  /** How many handlers and lanes run right now. */
  get inFlight(): number {
    return this.running.size + this.lanes.filter((lane) => lane.isRunning).length;
  }

  /** The earliest business times ≤ `before` of due work and of lanes that are steps of the sandbox's clock. */
  async earliestDue(before: Date): Promise<EarliestDue> {
    const [rows, { earliest }] = await Promise.all([
      this.rows.earliestDue(before),
      this.lanesDue(before, before),
    ]);
    return { due: earlierOf(earliest, rows.due), planned: earlierOf(earliest, rows.planned) };
  }

  /** How much is due at `now`: `due` counts rows and lanes that are steps, `background` counts the other lanes with due work. */
  async countDue(now: Date): Promise<Pick<LanesDue, 'due' | 'background'>> {
    const { due, background } = await this.lanesDue(now, null);
    return { due: (await this.rows.countDue(now)) + due, background };
  }

  /**
   * What is due in the lanes at `now`, as `countDue` counts it, and the earliest business time ≤ `before` of a lane that is a step. One
   * statement for each lane where `before` is not in the past.
   */
  async lanesDue(now: Date, before: Date | null): Promise<LanesDue> {
    const until = before && before > now ? before : now;
    const waiting = await Promise.all(
      this.lanes.map(async ({ lane }) => ({
        isStep: lane.isStep,
        at: await lane.earliestDue(lane.isStep ? until : now),
      })),
    );
    const dueNow = waiting.filter(({ at }) => at !== null && at <= now);
    const steps = dueNow.filter(({ isStep }) => isStep).length;
    const ahead = waiting.filter(({ isStep, at }) => isStep && at !== null && before && at <= before);
    return {
      due: steps,
      background: dueNow.length - steps,
      earliest: ahead.map(({ at }) => at).reduce(earlierOf, null),
    };
  }

  /** Up to `limit` works of the tenant that are due at `now`, earliest first, each as `kind key`. */
  async firstDue(tenant: string, now: Date, limit: number): Promise<string[]> {
    return (await this.rows.firstDue(tenant, now, limit)).map(({ kind, key }) => `${kind} ${key}`);
  }

  /**
   * For how many milliseconds the oldest row of each kind has been due at `now`; 0 when none is. The own tables of lanes are not
   * included: lanes report their delay themselves.
   */
  async lags(now: Date): Promise<Map<string, number>> {
    const lags = new Map([...this.handlers.keys()].map((kind) => [kind, 0]));
    for (const { kind, due_at } of await this.rows.oldest())
      lags.set(kind, Math.max(0, now.getTime() - due_at.getTime()));
    return lags;
  }

  private async poll(): Promise<void> {
    const free = this.options.concurrency - this.running.size;
    if (this.handlers.size === 0) return;
    if (free <= 0) {
      this.hasMore = true;
      return;
    }
    try {
      const leased = await this.rows.lease(this.underWay(), free, randomUUID(), this.options.leaseMs);
      // With all places taken, more work may wait for the next free one.
      this.hasMore = leased.length === free;
      if (leased.length > 0) this.noteWork();
      for (const work of leased) this.run(work);
    } catch (error) {
      this.log.error('due work could not be read', error);
    }
  }

  /** How many works of each kind run right now. */
  private underWay(): Map<string, number> {
    const counts = new Map([...this.handlers.keys()].map((kind) => [kind, 0]));
    for (const kind of this.running.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }

  private run(work: LeasedDue): void {
    const { traceparent } = work;
    const run = inSpan(
      this.tracing,
      traceparent,
      () => factsOf(work),
      (span) => this.work(work, span),
    ).finally(() => {
      this.running.delete(run);
      if (this.hasMore) this.look();
    });
    this.running.set(run, work.kind);
  }

  private async work(work: LeasedDue, span: OpenSpan | null): Promise<void> {
    try {
      const result = await this.handle(work, span);
      span?.set({ 'fundrail.due.result': endOf(result) });
      await faultPoint(`due.handled.${work.kind}`);
      await this.end(work, result);
    } catch (error) {
      // The lease expires, and the work runs again.
      this.log.error('due work could not be ended', error, { kind: work.kind, key: work.key });
    }
  }

  private async handle(work: LeasedDue, span: OpenSpan | null): Promise<DueResult> {
    try {
      const result = (await this.handlers.get(work.kind)?.handle(work)) ?? 'later';
      this.reportEnd(work.kind, endOf(result));
      return result;
    } catch (error) {
      this.reportEnd(work.kind, 'failed');
      span?.set({ 'error.type': 'handler_failed' });
      this.log.error('due work failed', error, { kind: work.kind, key: work.key, attempts: work.attempts });
      return 'later';
    }
  }

  private end(work: LeasedDue, result: DueResult): Promise<void> {
    if (result === 'done') return this.rows.done(work);
    if (typeof result === 'string') return this.rows.later(work, result === 'unchanged');
    return this.rows.again(work, result.again, result.attempts);
  }
}

/** The smaller of two times, either of which may be missing. */
export function earlierOf(one: Date | null, other: Date | null): Date | null {
  return other && (!one || other < one) ? other : one;
}

function endOf(result: DueResult): DueEnd {
  if (typeof result !== 'string') return 'again';
  return result === 'unchanged' ? 'later' : result;
}

function factsOf({ kind, key, tenant, attempts }: LeasedDue): SpanFacts {
  const about = { 'fundrail.due.kind': kind, 'fundrail.due.key': key, 'fundrail.due.attempts': attempts };
  return { name: `due ${kind}`, kind: 'internal', attributes: { ...about, 'fundrail.tenant': tenant } };
}
