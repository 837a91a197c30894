/** A named statement: prepared once a connection, so its text must never vary under one name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** How long it may go without an answer, in wall milliseconds, where the connection's limit is too short for it. */
  readonly timeoutMs?: number;
}

/** Declares a named statement. The name is `<table>.<verb…>`, unique in the service. */
export function sql(name: string, text: string, limit: Pick<Statement, 'timeoutMs'> = {}): Statement {
  return { name, text, ...limit };
}

/** Whatever runs a statement: the pool (one statement, committed by itself) or a transaction. */
export interface Queryable {
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>;
}

/** What a commit may have left for a worker of this process to do at once. */
export type CommitSignal = 'outbox' | 'due';

/** An open transaction. */
export interface Tx extends Queryable {
  /** Business time, read when the transaction began (contract §10 "Which clock"). */
  readonly now: Date;
  /** Wakes the relay or the due workers of this process once the transaction has committed. */
  signal(signal: CommitSignal): void;
}

/** The one place that begins, commits and retries (architecture, rule 8). Implemented by `Database` of service-kit. */
export interface Transactions extends Queryable {
  /** Runs `work` in one READ COMMITTED transaction; the whole of it again on 40001 and 40P01. Rejects when the commit fails. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Business time now. */
  now(): Promise<Date>;
  /** Calls back after commits that signalled, and answers the way to stop that. */
  onSignal(signal: CommitSignal, listener: () => void): () => void;
  /** Tells of work left by a statement that committed by itself. */
  signal(signal: CommitSignal): void;
}
