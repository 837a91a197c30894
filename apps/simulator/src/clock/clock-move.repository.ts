import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import { store, type StoreRow } from '../store/simulator.tables.ts';
import type { ClockMove } from './clock-move.ts';

/** How long a key is valid, like every Idempotency-Key. */
const KEY_LIVES_MS = 24 * 3_600_000;

const lockQueue = sql('clock_moves.lock_queue', 'SELECT offset_ms FROM business_clock FOR UPDATE');

/** The client's request: its tenant, its Idempotency-Key, and its body in canonical form. */
export type Asked = Pick<StoreRow<'clockMoves'>, 'tenant' | 'idempotency_key' | 'request'>;

/**
 * Locks the queue of moves, because each move starts where the previous one ends. Returns how many milliseconds the business clock is
 * ahead of wall time; the value does not change until the transaction ends.
 */
export async function lockMoves(tx: Tx): Promise<number> {
  return (await tx.query<{ offset_ms: number }>(lockQueue))[0]?.offset_ms ?? 0;
}

/** The move that the same request created within the last 24 hours of wall time. */
export async function findMoveByKey(tx: Tx, asked: Asked, wall: Date): Promise<ClockMove | null> {
  if (asked.idempotency_key === null) return null;
  const created_at = { after: new Date(wall.getTime() - KEY_LIVES_MS) };
  return store.clockMoves.find(tx, { ...asked, created_at });
}

/** The newest move to that target that is in progress or has succeeded. All tenants share the clock, so a move of any tenant counts. */
export function findMoveTo(tx: Tx, target: Date): Promise<ClockMove | null> {
  return store.clockMoves.find(tx, { target, failure: null }, 't.place DESC');
}

/** Puts a failed move back into its place in the queue, with the same target. */
export async function reviveMove(tx: Tx, move: ClockMove): Promise<ClockMove> {
  const waits = { ended_at: null, failure: null };
  await store.clockMoves.update(tx, { id: move.id }, waits);
  return { ...move, ...waits };
}

/** The target of the last move in the queue; null when the queue is empty. */
export async function lastTargetOf(tx: Tx): Promise<Date | null> {
  return (await store.clockMoves.find(tx, { ended_at: null }, 't.target DESC'))?.target ?? null;
}

/** Puts a move at the end of the queue. An older move frees its key. */
export async function insertMove(
  tx: Tx,
  move: Asked & { readonly id: string; readonly target: Date; readonly created_at: Date },
): Promise<ClockMove> {
  const { tenant, idempotency_key } = move;
  if (idempotency_key !== null)
    await store.clockMoves.update(tx, { tenant, idempotency_key }, { idempotency_key: null });
  const row = { ...move, ended_at: null, failure: null };
  await store.clockMoves.insert(tx, row);
  return row;
}

/** The move that is in progress, or the next one in the queue. */
export function nextMove(db: Queryable): Promise<ClockMove | null> {
  return store.clockMoves.find(db, { ended_at: null }, 't.place');
}
