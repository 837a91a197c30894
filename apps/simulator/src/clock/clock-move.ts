/** A requested move of the sandbox clock. */
export interface ClockMove {
  readonly id: string;
  /** The business time to reach, fixed when the move is recorded. */
  readonly target: Date;
  /** Wall time; null while the move is queued or in progress. */
  readonly ended_at: Date | null;
  /** Why it ended before its target; null otherwise. */
  readonly failure: string | null;
}

type MoveState = 'under_way' | 'reached' | 'failed';

export function stateOf({ ended_at, failure }: ClockMove): MoveState {
  if (ended_at === null) return 'under_way';
  return failure === null ? 'reached' : 'failed';
}

/** The path at which a client reads the progress of a move. */
export function followPath({ id }: ClockMove): string {
  return `/sandbox/clock?job=${id}`;
}
