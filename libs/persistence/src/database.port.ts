/** A named statement. It is prepared once per connection, so one name must always have the same text. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Its timeout in wall milliseconds, where the connection's timeout is too short. */
  readonly timeoutMs?: number;
}

/** Declares a named statement. The name is `<table>.<verb…>`, unique in the service. */
export function sql(name: string, text: string, limit: Pick<Statement, 'timeoutMs'> = {}): Statement {
  return { name, text, ...limit };
}

/** Runs a statement: the pool (each statement commits separately) or a transaction. */
export interface Queryable {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** Work that a commit may have created for a worker of this process: in the outbox, in `due_work`, or in the own table of a due lane. */
export type CommitSignal = 'outbox' | 'due' | `due:${string}`;

/** An open transaction. */
export interface Tx extends Queryable {
  /** Business time, read when the transaction started (CONV-31). */
  readonly now: Date;
  /** Wakes the relay or the due workers of this process once the transaction has committed. */
  signal(signal: CommitSignal): void;
}

/** The only place that begins, commits and retries transactions (DATA-2). Implemented by `Database` of service-kit. */
export interface Transactions extends Queryable {
  /** Runs `work` in one READ COMMITTED transaction, and retries all of it on 40001 and 40P01. Rejects when the commit fails. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Business time now. */
  now(): Promise<Date>;
  /** Business time by what the last transaction or `now()` has read of the sandbox's clock. Runs no query. */
  lastNow(): Date;
  /** Calls `listener` after commits with this signal. Returns a function that removes the listener. */
  onSignal(signal: CommitSignal, listener: () => void): () => void;
  /** Signals work created by a statement outside a transaction. */
  signal(signal: CommitSignal): void;
}
