import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { CommitSignal, Queryable, Statement, Transactions, Tx } from '@fundrail/persistence';

const RETRYABLE = new Set(['40001', '40P01']);

/** `Transactions` over a plain `pg` pool, for tests of this library: service-kit's `Database` is built on this library. */
export class PgTransactions implements Transactions {
  readonly #signals = new EventEmitter();
  readonly pool: pg.Pool;

  constructor(readonly url: string) {
    this.pool = new pg.Pool({ connectionString: url, max: 20 });
    // A test may end the server's side of idle connections.
    this.pool.on('error', () => undefined);
  }

  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return run<Row>(this.pool, statement, values);
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!RETRYABLE.has(String(Reflect.get(Object(error), 'code')))) throw error;
        await pause(5);
      }
    }
  }

  now(): Promise<Date> {
    return Promise.resolve(this.lastNow());
  }

  lastNow(): Date {
    return new Date();
  }

  onSignal(signal: CommitSignal, listener: () => void): () => void {
    this.#signals.on(signal, listener);
    return () => this.#signals.off(signal, listener);
  }

  signal(signal: CommitSignal): void {
    this.#signals.emit(signal);
  }

  /** A connection of its own, as a relay needs it. */
  readonly connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    return client;
  };

  end(): Promise<void> {
    return this.pool.end();
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    client.on('error', ignore);
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const tx = new OpenTransaction(client);
      const result = await work(tx);
      await client.query('COMMIT');
      for (const signal of tx.signals) this.signal(signal);
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((reason: unknown) => (broken = Object(reason) as Error));
      throw error;
    } finally {
      client.off('error', ignore);
      client.release(broken);
    }
  }
}

const ignore = (): void => undefined;

class OpenTransaction implements Tx {
  readonly now = new Date();
  readonly signals = new Set<CommitSignal>();

  constructor(private readonly client: pg.PoolClient) {}

  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    return run<Row>(this.client, statement, values);
  }

  signal(signal: CommitSignal): void {
    this.signals.add(signal);
  }
}

async function run<Row>(
  on: pg.Pool | pg.PoolClient,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await on.query<Row & pg.QueryResultRow>({ name, text, values: [...values] });
  return rows;
}

/** Runs SQL without parameters; many statements are allowed. */
export function execute(db: PgTransactions, text: string): Promise<unknown> {
  return db.pool.query(text);
}

/** Fails the chosen calls with the error of a lost connection; all others go through. */
export class FlakyTransactions implements Transactions {
  /** While true, every transaction fails. */
  down = false;
  /** The number of failed calls. */
  refused = 0;

  constructor(
    private readonly inner: Transactions,
    private readonly error: () => Error = lostConnection,
  ) {}

  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#refuseWhenDown();
    return this.inner.transaction(work);
  }

  async query<Row>(...call: Parameters<Queryable['query']>): Promise<Row[]> {
    this.#refuseWhenDown();
    return this.inner.query<Row>(...call);
  }

  now(): Promise<Date> {
    return this.inner.now();
  }

  lastNow(): Date {
    return this.inner.lastNow();
  }

  onSignal(signal: CommitSignal, listener: () => void): () => void {
    return this.inner.onSignal(signal, listener);
  }

  signal(signal: CommitSignal): void {
    this.inner.signal(signal);
  }

  #refuseWhenDown(): void {
    if (!this.down) return;
    this.refused += 1;
    throw this.error();
  }
}

function lostConnection(): Error {
  return Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
}
