import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { ClockMove } from './clock-move.ts';

/** How long a key is valid, like every Idempotency-Key. */
const KEY_HOURS = 24;

const lockQueue = sql('clock_moves.lock_queue', 'SELECT offset_ms FROM business_clock FOR UPDATE');
const byKey = sql(
  'clock_moves.by_key',
  `SELECT id, target, ended_at, failure FROM clock_moves
    WHERE tenant = $1 AND idempotency_key = $2 AND request = $3 AND created_at > $4::timestamptz - interval '${KEY_HOURS} hours'`,
);
const freeKey = sql(
  'clock_moves.free_key',
  'UPDATE clock_moves SET idempotency_key = NULL WHERE tenant = $1 AND idempotency_key = $2',
);
const revive = sql(
  'clock_moves.revive',
  `UPDATE clock_moves SET ended_at = NULL, failure = NULL WHERE id = $1 RETURNING id, target, ended_at, failure`,
);
// All tenants share the clock, so a move of any tenant counts.
const byTarget = sql(
  'clock_moves.by_target',
  `SELECT id, target, ended_at, failure FROM clock_moves
    WHERE target = $1 AND failure IS NULL ORDER BY place DESC LIMIT 1`,
);
const lastTarget = sql(
  'clock_moves.last_target',
  'SELECT max(target) AS target FROM clock_moves WHERE ended_at IS NULL',
);
const insert = sql(
  'clock_moves.insert',
  `INSERT INTO clock_moves (id, tenant, idempotency_key, request, target, created_at) VALUES ($1, $2, $3, $4, $5, $6)
   RETURNING id, target, ended_at, failure`,
);
const next = sql(
  'clock_moves.next',
  'SELECT id, target, ended_at, failure FROM clock_moves WHERE ended_at IS NULL ORDER BY place LIMIT 1',
);
const last = sql(
  'clock_moves.last',
  'SELECT id, target, ended_at, failure FROM clock_moves WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT 1',
);
const find = sql('clock_moves.find', 'SELECT id, target, ended_at, failure FROM clock_moves WHERE id = $1');
const end = sql(
  'clock_moves.end',
  'UPDATE clock_moves SET ended_at = $2, failure = $3 WHERE id = $1 AND ended_at IS NULL',
);

/** The client's request: its tenant, its Idempotency-Key, and its body in canonical form. */
export interface Asked {
  readonly tenant: string;
  readonly key: string | null;
  readonly request: string;
}

/**
 * Locks the queue of moves, because each move starts where the previous one ends. Returns how many milliseconds the business clock is
 * ahead of wall time; the value does not change until the transaction ends.
 */
export async function lockMoves(tx: Tx): Promise<number> {
  return (await tx.query<{ offset_ms: number }>(lockQueue))[0]?.offset_ms ?? 0;
}

/** The move that the same request created within the last 24 hours of wall time. */
export async function findMoveByKey(tx: Tx, asked: Asked, wall: Date): Promise<ClockMove | null> {
  if (asked.key === null) return null;
  return (await tx.query<ClockMove>(byKey, [asked.tenant, asked.key, asked.request, wall]))[0] ?? null;
}

/** The newest move to that target that is in progress or has succeeded. */
export async function findMoveTo(tx: Tx, target: Date): Promise<ClockMove | null> {
  return (await tx.query<ClockMove>(byTarget, [target]))[0] ?? null;
}

/** Puts a failed move back into its place in the queue, with the same target. */
export async function reviveMove(tx: Tx, { id }: ClockMove): Promise<ClockMove> {
  return one(await tx.query<ClockMove>(revive, [id]));
}

/** The target of the last move in the queue; null when the queue is empty. */
export async function lastTargetOf(tx: Tx): Promise<Date | null> {
  return (await tx.query<{ target: Date | null }>(lastTarget))[0]?.target ?? null;
}

export async function insertMove(
  tx: Tx,
  move: Asked & { readonly id: string; readonly target: Date; readonly created_at: Date },
): Promise<ClockMove> {
  if (move.key !== null) await tx.query(freeKey, [move.tenant, move.key]);
  const values = [move.id, move.tenant, move.key, move.request, move.target, move.created_at];
  return one(await tx.query<ClockMove>(insert, values));
}

/** The move that is in progress, or the next one in the queue. */
export async function nextMove(db: Queryable): Promise<ClockMove | null> {
  return (await db.query<ClockMove>(next))[0] ?? null;
}

/** The most recently ended move. */
export async function lastMove(db: Queryable): Promise<ClockMove | null> {
  return (await db.query<ClockMove>(last))[0] ?? null;
}

export async function findMove(db: Queryable, id: string): Promise<ClockMove | null> {
  return (await db.query<ClockMove>(find, [id]))[0] ?? null;
}

/** Does nothing when the move has already ended. */
export async function endMove(db: Queryable, id: string, at: Date, failure: string | null): Promise<void> {
  await db.query(end, [id, at, failure]);
}

function one(rows: readonly ClockMove[]): ClockMove {
  const [row] = rows;
  if (!row) throw new Error('the statement did not return the stored move');
  return row;
}
