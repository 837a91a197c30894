import type { Queryable } from './database.port.ts';

/** `failed`: all tries failed. `behind`: waits for an earlier event of its aggregate. `replay`: to be run again. */
export type ParkedStatus = 'failed' | 'behind' | 'replay';

/** A parked event, as `npm run events -- parked` lists it. */
export interface ParkedEvent {
  readonly event_id: string;
  readonly consumer_group: string;
  readonly type: string;
  readonly tenant: string;
  readonly aggregate_id: string;
  readonly sequence: number;
  readonly status: ParkedStatus;
  readonly error: string | null;
  readonly tries: number;
  readonly parked_at: Date;
}

/** The events that wait in a service's database, in the order in which they would run. */
export function listParked(_db: Queryable, _limit = 1000): Promise<ParkedEvent[]> {
  throw new Error('not built yet');
}

/** Asks the running service (or its next start) to run parked events again; `all`, or by event id. Answers how many were asked for. */
export function replayParked(_db: Queryable, _eventIds: readonly string[] | 'all'): Promise<number> {
  throw new Error('not built yet');
}
