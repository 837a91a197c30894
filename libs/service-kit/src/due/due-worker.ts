import {
  faultPoint,
  inSpan,
  NO_TRACING,
  type OpenSpan,
  type SpanFacts,
  type Tracing,
  type Transactions,
} from '@fundrail/messaging';
import { randomUUID } from 'node:crypto';
import { outsideRequests } from '../http/request-context.ts';
import type { Log } from '../logging/log.ts';
import type { DueHandler, DueLane, DueResult } from './due-work.ts';
import type { DueWorkRepository, LeasedWork } from './due-work.repository.ts';
import { LaneRunner } from './lane-runner.ts';

export interface DueWorkerOptions {
  /** Wall milliseconds between two looks when nobody wakes it (`DUE_POLL_MS`). */
  readonly pollMs: number;
  /** Wall milliseconds after which work that has not ended may be run again, here or elsewhere (`DUE_LEASE_MS`). */
  readonly leaseMs: number;
  /** Handlers that run at the same time in this process (`DUE_CONCURRENCY`). */
  readonly concurrency: number;
  /** Where the spans of due work go; nowhere when left out. */
  readonly tracing?: Tracing;
}

/** How due work ended: as its handler answered, or `failed` when it threw. */
export type DueEnd = 'done' | 'later' | 'again' | 'failed';

/**
 * Runs what has fallen due in one service: rows of `due_work` by their kind's handler, and the service's own lanes. Any
 * number of replicas may run; the lease sees to it that each row is worked by one at a time. It looks every `pollMs`, and at
 * once after a commit that signalled.
 */
export class DueWorker {
  private readonly handlers = new Map<string, DueHandler>();
  private readonly lanes: LaneRunner[] = [];
  private readonly running = new Map<Promise<void>, string>();
  private timer: NodeJS.Timeout | null = null;
  private stopListening: (() => void) | null = null;
  private looking: Promise<void> | null = null;
  private tellEnd: (kind: string, end: DueEnd) => void = () => undefined;
  private lookAgain = false;
  private readonly tracing: Tracing;

  constructor(
    private readonly database: Transactions,
    private readonly rows: DueWorkRepository,
    private readonly log: Log,
    private readonly options: DueWorkerOptions,
  ) {
    this.tracing = options.tracing ?? NO_TRACING;
  }

  /** Takes on a kind. `bootstrap` does so for every `@HandlesDue` it finds. Throws when the kind has a handler already. */
  addHandler(handler: DueHandler): void {
    if (this.handlers.has(handler.kind)) throw new Error(`the due kind ${handler.kind} has two handlers`);
    this.handlers.set(handler.kind, handler);
  }

  addLane(lane: DueLane): void {
    this.lanes.push(new LaneRunner(lane, this.database, this.log, this.tracing));
  }

  /** Is called for each work that this process has ended. */
  onEnd(listener: (kind: string, end: DueEnd) => void): void {
    this.tellEnd = listener;
  }

  start(): void {
    if (this.timer) return;
    this.timer = setInterval(() => this.wake(), this.options.pollMs);
    this.stopListening = this.database.onSignal('due', () => this.wake());
    this.wake();
  }

  /** Takes nothing more, and resolves when what runs has ended. */
  async stop(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.stopListening?.();
    this.stopListening = null;
    await this.looking;
    await Promise.all([...this.running.keys(), ...this.lanes.map((lane) => lane.stop())]);
  }

  /** Looks now. Wakes that come while it looks are one more look together. */
  wake(): void {
    if (!this.timer) return;
    for (const lane of this.lanes) lane.wake();
    if (this.looking) {
      this.lookAgain = true;
      return;
    }
    this.looking = outsideRequests(() => this.look()).finally(() => {
      this.looking = null;
      if (!this.lookAgain) return;
      this.lookAgain = false;
      this.wake();
    });
  }

  /** Handlers and lanes that run right now. */
  get inFlight(): number {
    return this.running.size + this.lanes.filter((lane) => lane.isRunning).length;
  }

  /** The earliest business time ≤ `before` at which the sandbox's clock has to stop: due work, and lanes that are steps. */
  async earliestDue(before: Date): Promise<Date | null> {
    const steps = this.lanes.filter((lane) => lane.isStep);
    const times = await Promise.all([
      this.rows.earliestDue(before),
      ...steps.map((lane) => lane.earliestDue(before)),
    ]);
    return times.reduce((least, time) => (time && (!least || time < least) ? time : least), null);
  }

  /** How much is due at `now`: rows, and one for each lane with something due (`steps`: only those that are). */
  async countDue(now: Date): Promise<{ readonly due: number; readonly background: number }> {
    const waiting = await Promise.all(
      this.lanes.map(async (lane) => ({ lane, due: await lane.earliestDue(now) })),
    );
    const lanesDue = waiting.filter(({ due }) => due !== null).map(({ lane }) => lane);
    const steps = lanesDue.filter((lane) => lane.isStep).length;
    return { due: (await this.rows.countDue(now)) + steps, background: lanesDue.length - steps };
  }

  /**
   * For how many milliseconds the oldest row of each kind has been due at `now`; 0 when none is. Tables that a lane keeps for itself
   * are not looked at: how late they are is theirs to tell.
   */
  async lags(now: Date): Promise<Map<string, number>> {
    const lags = new Map([...this.handlers.keys()].map((kind) => [kind, 0]));
    for (const { kind, due_at } of await this.rows.oldest())
      lags.set(kind, Math.max(0, now.getTime() - due_at.getTime()));
    return lags;
  }

  private async look(): Promise<void> {
    const free = this.options.concurrency - this.running.size;
    if (free <= 0 || this.handlers.size === 0) return;
    try {
      const leased = await this.rows.lease(this.underWay(), free, randomUUID(), this.options.leaseMs);
      for (const work of leased) this.run(work);
    } catch (error) {
      this.log.error('due work could not be read', error);
    }
  }

  /** How many of each kind run right now. */
  private underWay(): Map<string, number> {
    const counts = new Map([...this.handlers.keys()].map((kind) => [kind, 0]));
    for (const kind of this.running.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return counts;
  }

  private run(work: LeasedWork): void {
    const { traceparent } = work;
    const run = inSpan(
      this.tracing,
      traceparent,
      () => factsOf(work),
      (span) => this.work(work, span),
    ).finally(() => {
      // When no place was free, more work may wait for this one.
      const full = this.running.size >= this.options.concurrency;
      this.running.delete(run);
      if (full) this.wake();
    });
    this.running.set(run, work.kind);
  }

  private async work(work: LeasedWork, span: OpenSpan | null): Promise<void> {
    try {
      const result = await this.handle(work, span);
      span?.set({ 'fundrail.due.result': typeof result === 'string' ? result : 'again' });
      await faultPoint(`due.handled.${work.kind}`);
      await this.end(work, result);
    } catch (error) {
      // The lease ends by itself, and the work runs again.
      this.log.error('due work could not be ended', error, { kind: work.kind, key: work.key });
    }
  }

  private async handle(work: LeasedWork, span: OpenSpan | null): Promise<DueResult> {
    try {
      const result = (await this.handlers.get(work.kind)?.handle(work)) ?? 'later';
      this.tellEnd(work.kind, typeof result === 'string' ? result : 'again');
      return result;
    } catch (error) {
      this.tellEnd(work.kind, 'failed');
      span?.set({ 'error.type': 'handler_failed' });
      this.log.error('due work failed', error, { kind: work.kind, key: work.key, attempts: work.attempts });
      return 'later';
    }
  }

  private end(work: LeasedWork, result: DueResult): Promise<void> {
    if (result === 'done') return this.rows.done(work);
    return result === 'later' ? this.rows.later(work) : this.rows.again(work, result.again);
  }
}

function factsOf({ kind, key, tenant, attempts }: LeasedWork): SpanFacts {
  const about = { 'fundrail.due.kind': kind, 'fundrail.due.key': key, 'fundrail.due.attempts': attempts };
  return { name: `due ${kind}`, kind: 'internal', attributes: { ...about, 'fundrail.tenant': tenant } };
}
