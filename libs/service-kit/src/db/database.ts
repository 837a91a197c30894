import type { CommitSignal, Statement, Transactions, Tx } from '@fundrail/persistence';
import { isLostDatabase } from '@fundrail/messaging';
import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { Clock } from './clock.ts';
import { isRetryable } from './database-errors.ts';
import { inTransaction, runInScope, type TransactionScope } from './open-transaction.ts';
import { watchPoolWaits } from './pool-waits.ts';

/** The attempts of one transaction. With the pauses below they take at most about a second. */
const TRIES = 6;
const FIRST_PAUSE_MS = 10;

/** Locks are held only for a moment, so reading business time after the lock is precise enough. */
const BEGIN = 'BEGIN';
/** The wall clocks of services differ by less; milliseconds. */
export const CLOCK_SKEW_MS = 1_000;
const CATCH_UP: Statement = {
  name: 'business_clock.catch_up',
  text: 'UPDATE business_clock SET offset_ms = $1 WHERE offset_ms < $1',
};
const READ_OFFSET = 'SELECT offset_ms FROM business_clock';

export interface DatabaseOptions {
  /** Whether business time may be moved and has to be read from the database (CLOCK-7). */
  readonly sandbox: boolean;
}

/** A client of the pool, with what it writes to. */
type Connected = pg.PoolClient & Pick<pg.Client, 'connection'>;

/** How many connections, and how many callers that wait for one. */
type Connections = Readonly<Record<'busy' | 'idle' | 'waiting', number>>;

/**
 * The service's own database: named statements on the pool, transactions, business time, and signals after commits
 * (DATA-2). Entities are read through `manager`; every write is a named statement.
 */
export class Database implements Transactions {
  private readonly signals = new EventEmitter().setMaxListeners(0);
  private reportWait: (ms: number) => void = () => undefined;
  private lastOffsetMs = 0;
  private readingNow: Promise<Date> | null = null;

  constructor(
    readonly dataSource: DataSource,
    private readonly pool: pg.Pool,
    private readonly clock: Clock,
    private readonly options: DatabaseOptions,
  ) {
    watchPoolWaits(pool, (ms) => this.reportWait(ms));
  }

  /** TypeORM's manager on the pool, for cold reads of entities. Never inside `transaction()`: it would use another connection. */
  get manager(): EntityManager {
    return this.dataSource.manager;
  }

  /** One statement, prepared once for each connection and committed on its own. */
  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return runStatement<Row>(this.pool, statement, values);
  }

  /**
   * Runs `work` in one READ COMMITTED transaction. On 40001 and 40P01 it runs the whole `work` again after a short random pause.
   * Rejects when the commit fails. A transaction inside a transaction is a mistake in the code and throws.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (inTransaction()) throw new Error('a transaction may not start inside another one');
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.attempt(work);
      } catch (error) {
        if (attempt === TRIES || !isRetryable(error)) throw error;
        await pause(Math.random() * FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }

  /** Reads of one moment: every statement of `work` sees the same data. It cannot write. */
  async snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (inTransaction()) throw new Error('a snapshot may not start inside a transaction');
    return this.attempt(work, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  /** Business time now: the wall clock, plus in the sandbox the offset in the database. */
  async now(): Promise<Date> {
    if (!this.options.sandbox) return this.clock.now();
    return (this.readingNow ??= this.readNow());
  }

  /** Business time by the offset that the last transaction or `now()` has read. Runs no query. */
  lastNow(): Date {
    return new Date(this.clock.now().getTime() + this.lastOffsetMs);
  }

  /**
   * In the sandbox: moves business time forward to `time` where it is more than a second behind. A move of the clock reaches one service
   * before another, and what the first then publishes must not be handled at the time before (CLOCK-14).
   */
  async catchUp(time: Date): Promise<void> {
    if (!this.options.sandbox || time.getTime() - this.lastNow().getTime() <= CLOCK_SKEW_MS) return;
    if (time.getTime() - (await this.now()).getTime() <= CLOCK_SKEW_MS) return;
    await this.query(CATCH_UP, [time.getTime() - this.clock.now().getTime()]);
  }

  /** The pool of this process: busy and idle connections, and callers that wait for a connection. */
  connections(): Connections {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Sets a listener that receives the wall milliseconds of each wait for a connection. */
  onWait(listener: (ms: number) => void): void {
    this.reportWait = listener;
  }

  /** Calls the listener after each commit with that signal. Returns a function that removes it. */
  onSignal(signal: CommitSignal, listener: () => void): () => void {
    this.signals.on(signal, listener);
    return () => this.signals.off(signal, listener);
  }

  /** Signals work that a statement outside a transaction has left. */
  signal(signal: CommitSignal): void {
    this.signals.emit(signal);
  }

  private async attempt<T>(work: (tx: Tx) => Promise<T>, begin = BEGIN): Promise<T> {
    // The types of pg leave it out for clients of a pool.
    const client = (await this.pool.connect()) as Connected;
    const scope: TransactionScope = { open: true };
    // Without a listener, a connection that the server ends between two statements would end the process. The next
    // statement on it rejects, which reports the error to the work.
    const ignore = () => undefined;
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      const tx = await this.begin(client, scope, begin);
      const result = await runInScope(scope, () => work(tx));
      scope.open = false;
      await commit(client);
      for (const signal of tx.signalled) this.signals.emit(signal);
      return result;
    } catch (error) {
      scope.open = false;
      // A server that does not answer would not answer a ROLLBACK either. It rolls back when the connection is closed.
      broken = isLostDatabase(error) ? asError(error) : await rollback(client);
      throw error;
    } finally {
      client.off('error', ignore);
      // Otherwise the pool would wait for statements that are still without an answer.
      if (broken) client.connection.stream.destroy();
      client.release(broken);
    }
  }

  /** In the sandbox the offset is read in the same round trip; otherwise BEGIN shares the round trip of the first statement. */
  private async begin(
    client: pg.PoolClient,
    scope: TransactionScope,
    begin: string,
  ): Promise<OpenTransaction> {
    sendTogether(client);
    const begun: Promise<unknown> = client.query(this.options.sandbox ? `${begin}; ${READ_OFFSET}` : begin);
    if (!this.options.sandbox) return new OpenTransaction(client, scope, this.clock.now(), begun);
    const results = await begun;
    const last = Array.isArray(results)
      ? (results as pg.QueryResult<{ offset_ms: number }>[]).at(-1)
      : undefined;
    return new OpenTransaction(client, scope, this.movedBy(last?.rows[0]?.offset_ms ?? 0), begun);
  }

  /** One statement for all who ask at the same time. It is sent after they have asked, so none reads an older time. */
  private async readNow(): Promise<Date> {
    await Promise.resolve();
    this.readingNow = null;
    const [row] = await this.query<{ offset_ms: number }>(readOffset);
    return this.movedBy(row?.offset_ms ?? 0);
  }

  private movedBy(offsetMs: number): Date {
    this.lastOffsetMs = offsetMs;
    return new Date(this.clock.now().getTime() + offsetMs);
  }
}

const readOffset: Statement = { name: 'business_clock.read', text: READ_OFFSET };

const READS = /^\s*SELECT\b/;

class OpenTransaction implements Tx {
  readonly signalled = new Set<CommitSignal>();
  /** Until BEGIN is answered. */
  private begun: Promise<void> | null;
  private isHeld = false;
  private failure: Error | null = null;

  constructor(
    private readonly client: Connected,
    private readonly scope: TransactionScope,
    readonly now: Date,
    begun: Promise<unknown>,
  ) {
    this.begun = begun.then(() => {
      this.begun = null;
    });
    // Each statement that is sent meanwhile rejects with it too.
    this.begun.catch(() => undefined);
  }

  /**
   * A read is sent right behind BEGIN and fails with it. A write waits for BEGIN's answer, and so does what is sent after it: if BEGIN were
   * cancelled, it would commit alone.
   */
  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    this.refuseWhenOver(statement);
    const { begun } = this;
    if (!begun) return this.send<Row>(statement, values);
    this.isHeld ||= !READS.test(statement.text);
    if (this.isHeld) {
      await begun;
      // The work may have ended meanwhile: behind its ROLLBACK or COMMIT the write would commit alone.
      this.refuseWhenOver(statement);
    }
    const [rows] = await Promise.all([this.send<Row>(statement, values), begun]);
    return rows;
  }

  /** Rejects with the transaction's first error: the server refuses what was sent behind it, which may be noticed first. */
  private async send<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    sendTogether(this.client);
    try {
      return await runStatement<Row>(this.client, statement, values);
    } catch (error) {
      throw (this.failure ??= asError(error));
    }
  }

  private refuseWhenOver({ name }: Statement): void {
    if (!this.scope.open) throw new Error(`${name}: the transaction is over`);
  }

  signal(signal: CommitSignal): void {
    this.signalled.add(signal);
  }
}

/** What is sent before this process waits goes out in one write: the write costs more processor than the statement. */
function sendTogether({ connection: { stream } }: Connected): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}

async function runStatement<Row>(
  runner: pg.Pool | pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { name, text, timeoutMs } = statement;
  // pg accepts a limit for one statement too; its types declare it only for connections.
  const config: pg.QueryConfig & { readonly query_timeout?: number } = {
    ...{ name, text, values: [...values] },
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  };
  const result = await runner.query<Row & pg.QueryResultRow>(config);
  return result.rows;
}

/** PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK and no error, which is a failed commit too. */
async function commit(client: pg.PoolClient): Promise<void> {
  const result = await client.query('COMMIT');
  if (result.command !== 'COMMIT') throw new Error(`the commit was answered with ${result.command}`);
}

/** Returns the error that makes the connection unusable, if any. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (error) {
    return asError(error);
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
