import { ApiError } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { QueryRunner } from 'typeorm';
import { scheduleAllDue } from './due-batch.ts';
import { signalOf, type DueWork } from './due-work.ts';

/** An operator asks about a payment at most once in this time (ADMIN-16). */
const PAUSE_MS = 60_000;

const TABLE = `
-- When an operator, or the cancellation of a debit, asked about a payment at once. Business time.
CREATE TABLE asked_now (
  payment_id bigint NOT NULL,
  tenant text NOT NULL,
  asked_at timestamptz NOT NULL,
  PRIMARY KEY (payment_id, asked_at)
);
CREATE INDEX asked_now_asked_at ON asked_now (asked_at);
`;
const EARLIER = sql(
  'asked_now.earlier',
  'SELECT asked_at FROM asked_now WHERE payment_id = $2 AND tenant = $1 ORDER BY asked_at',
);
const ADD = sql(
  'asked_now.add',
  'INSERT INTO asked_now (tenant, payment_id, asked_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
// A worker that ends one of these rows waits for this transaction, and the other way round.
const LOCK = sql(
  'due_work.lock',
  `SELECT kind, key, due_at FROM due_work
    WHERE kind = ANY ($2) AND key = ANY ($3) AND tenant = $1 ORDER BY kind, key FOR UPDATE`,
);
// What is due already may be leased by a worker, and stays as it is.
const BRING_FORWARD = sql(
  'due_work.bring_forward',
  'UPDATE due_work SET due_at = $4 WHERE kind = ANY ($2) AND key = ANY ($3) AND tenant = $1 AND due_at > $4',
);

/** Creates the table of `askNow`, in a migration of a service that offers it. */
export async function createAskedNow(runner: QueryRunner): Promise<void> {
  await runner.query(TABLE);
}

/** The payment of an operator's question, in both services that work on it. */
interface PaymentKey {
  readonly tenant: string;
  readonly id: number;
}

/** The due work that asks outside about a payment. */
export interface QuestionNow {
  readonly payment: PaymentKey;
  readonly works: readonly Pick<DueWork, 'kind' | 'key'>[];
  /** Scheduled when none of `works` is; null where then there is nothing to ask. */
  readonly otherwise: Pick<DueWork, 'kind' | 'key'> | null;
  /** From when on a rule allows the question, given when operators asked before, oldest first. Always when left out. */
  readonly allowedFrom?: (earlier: readonly Date[]) => Date;
}

/** When operators, or a client's cancellation, asked about the payment at once during the last days, oldest first. */
export async function askedNow(db: Queryable, { tenant, id }: PaymentKey): Promise<Date[]> {
  const rows = await db.query<{ asked_at: Date }>(EARLIER, [tenant, id]);
  return rows.map(({ asked_at }) => asked_at);
}

/**
 * Makes due work due at once for an operator; its count of attempts stays. The worker makes the call. What is due already is left to
 * the worker that has it, and counts as no question. Returns the kinds, empty when there is nothing to ask. The caller holds the lock
 * of the payment, so that of two operators at once one is refused. Throws `ApiError` RATE_LIMITED with the seconds to wait.
 */
export async function askNow(
  tx: Tx,
  { payment, works, otherwise, allowedFrom }: QuestionNow,
): Promise<string[]> {
  const { tenant } = payment;
  const earlier = await askedNow(tx, payment);
  const last = earlier.at(-1);
  if (last) waitUntil(new Date(last.getTime() + PAUSE_MS), tx.now, 'The payment was asked about already.');
  const named = [tenant, works.map(({ kind }) => kind), works.map(({ key }) => key)];
  const rows = await tx.query<Pick<DueWork, 'kind' | 'due_at'>>(LOCK, named);
  if (rows.length === 0 && otherwise === null) return [];
  const kinds = rows.length > 0 ? rows.map(({ kind }) => kind) : otherwise ? [otherwise.kind] : [];
  if (rows.some(({ due_at }) => due_at <= tx.now)) return [...new Set(kinds)];
  if (allowedFrom) waitUntil(allowedFrom(earlier), tx.now, 'No further question is allowed yet.');
  await countQuestion(tx, payment);
  if (rows.length > 0) await tx.query(BRING_FORWARD, [...named, tx.now]);
  else if (otherwise) await scheduleAllDue(tx, [{ ...otherwise, tenant, due_at: tx.now }]);
  tx.signal('due');
  for (const kind of new Set(kinds)) tx.signal(signalOf(kind));
  return [...new Set(kinds)];
}

/** Counts a question that is asked at once about the payment, whose lock the caller holds. */
export async function countQuestion(tx: Tx, { tenant, id }: PaymentKey): Promise<void> {
  await tx.query(ADD, [tenant, id, tx.now]);
}

function waitUntil(from: Date, now: Date, message: string): void {
  const seconds = Math.ceil((from.getTime() - now.getTime()) / 1000);
  if (seconds > 0) throw new ApiError('RATE_LIMITED', message, [], seconds);
}
