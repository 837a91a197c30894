import type { RawRecord } from '@fundrail/messaging/testing';
import { quantiles, type Quantiles } from '../lib/quantiles.ts';
import type { Emitted } from './emitter.ts';

/** The observations of a run: the times of each event at each place, by its id, in wall milliseconds. */
interface Observations {
  readonly emitted: readonly Emitted[];
  readonly records: readonly RawRecord[];
  readonly consumed: ReadonlyMap<string, number>;
  readonly arrivals: ReadonlyMap<string, number>;
}

/** From the commit to the endpoint, and the steps between. */
export interface LatencyFigures extends Quantiles {
  readonly per_second: number;
  readonly commit_to_published: Quantiles;
  readonly published_to_consumed: Quantiles;
  readonly consumed_to_received: Quantiles;
  /** From the scheduled time, so including the wait for the commit. */
  readonly from_schedule: Quantiles;
  /** Webhooks of one object that came before an earlier one of it. */
  readonly out_of_order: number;
}

/** `counted` leaves out the warm-up. Throws when an event did not arrive everywhere. */
export function latencyFigures(
  perSecond: number,
  seen: Observations,
  counted: (event: Emitted) => boolean,
): LatencyFigures {
  const published = new Map(seen.records.map(({ eventId, timestamp }) => [eventId, timestamp]));
  const ways = seen.emitted.filter(counted).map((event) => ({
    due: event.due,
    committed: event.committed,
    published: at(published, event.id),
    consumed: at(seen.consumed, event.id),
    received: at(seen.arrivals, event.id),
  }));
  type Place = keyof (typeof ways)[number];
  const between = (from: Place, to: Place) => quantiles(ways.map((way) => way[to] - way[from]));
  return {
    per_second: perSecond,
    ...between('committed', 'received'),
    commit_to_published: between('committed', 'published'),
    published_to_consumed: between('published', 'consumed'),
    consumed_to_received: between('consumed', 'received'),
    from_schedule: between('due', 'received'),
    out_of_order: countOutOfOrder(seen),
  };
}

function at(times: ReadonlyMap<string, number>, id: string): number {
  const time = times.get(id);
  if (time === undefined) throw new Error(`${id} has not come through, so the figures mean nothing`);
  return time;
}

function countOutOfOrder({ emitted, arrivals }: Observations): number {
  const byId = new Map(emitted.map((event) => [event.id, event]));
  const last = new Map<number, number>();
  let count = 0;
  for (const id of arrivals.keys()) {
    const event = byId.get(id);
    if (!event) continue;
    if (event.sequence !== (last.get(event.aggregate) ?? 0) + 1) count += 1;
    last.set(event.aggregate, event.sequence);
  }
  return count;
}
