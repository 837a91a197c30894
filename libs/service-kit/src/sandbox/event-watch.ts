import { sql, type Queryable } from '@fundrail/persistence';
import type { EventBus } from '@fundrail/messaging';
import type { ServiceName } from '@fundrail/contracts';
import type { Clock } from '../db/clock.ts';
import { HOURLY_FROM } from '../due/back-off.ts';

/** What a service has left to do in its database: events and rows of `due_work`, and two marks that change with its progress. */
interface Stored {
  /** Business time at which the rest was read. */
  readonly now: Date;
  /** Written but not yet on the bus. */
  readonly unpublished: number;
  /** The id of the newest written event. */
  readonly last_written: string | null;
  /** When the newest event was consumed. */
  readonly last_consumed: string | null;
  /** How many rows are due now, including running ones. */
  readonly due: number;
  /** The earliest due time up to the given instant: of all rows, of those without answered hourly retries, and without any hourly retries. */
  readonly earliest: Date | null;
  readonly unanswered: Date | null;
  readonly planned: Date | null;
}

/** With the events on the bus that are not yet consumed here. */
type Unfinished = Stored & { readonly unconsumed: number };

// One statement, so that marks and counts belong to the same moment. As text, because a Date would round the microseconds.
const STORED = sql(
  'sandbox.stored',
  `SELECT business.now,
          (SELECT count(*) FROM outbox WHERE published_at IS NULL) AS unpublished,
          (SELECT max(id) FROM outbox)::text AS last_written,
          (SELECT max(received_at) FROM inbox)::text AS last_consumed,
          work.*
     FROM (SELECT $1::timestamptz + offset_ms * interval '1 millisecond' AS now FROM business_clock) AS business,
          LATERAL (SELECT count(*) FILTER (WHERE due_at <= business.now) AS due,
                          min(due_at) FILTER (WHERE due_at <= $2) AS earliest,
                          min(due_at) FILTER (WHERE due_at <= $2 AND (attempts < $3 OR NOT unchanged)) AS unanswered,
                          min(due_at) FILTER (WHERE due_at <= $2 AND attempts < $3) AS planned
                     FROM due_work WHERE due_at <= greatest(business.now, $2::timestamptz)) AS work`,
);

/**
 * Reads a service's unfinished work from its database and the bus, so every replica gives the same answer for all. Without a bus events
 * never move.
 */
export class EventWatch {
  constructor(
    private readonly name: ServiceName,
    private readonly database: Queryable,
    private readonly bus: Pick<EventBus, 'unconsumed' | 'waitsForConsumers'> | null,
    private readonly wall: Clock,
  ) {}

  /**
   * Reads the bus before the database, so the answer includes the effect of an event that has left the bus. Does not read the bus while
   * events are unpublished, nor when the caller knows that it is empty. Rejects when the bus or the database does not answer.
   */
  async now(before: Date | null, isBusEmpty = false): Promise<Unfinished> {
    const first = await this.stored(before);
    if (!this.bus) return { ...first, unpublished: 0, unconsumed: 0 };
    const isUnasked = isBusEmpty || this.bus.waitsForConsumers === true || first.unpublished > 0;
    if (isUnasked) return { ...first, unconsumed: 0 };
    const unconsumed = await this.bus.unconsumed(this.name);
    return { ...(await this.stored(before)), unconsumed };
  }

  private async stored(before: Date | null): Promise<Stored> {
    const [stored] = await this.database.query<Stored>(STORED, [this.wall.now(), before, HOURLY_FROM]);
    if (!stored) throw new Error('business_clock has no row');
    return stored;
  }
}
