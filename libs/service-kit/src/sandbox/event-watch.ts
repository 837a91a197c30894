import { sql, type EventBus, type Queryable } from '@fundrail/messaging';
import type { ServiceName } from '@fundrail/contracts';

/** The events of one service that are on their way, and marks of what has happened. */
export interface EventsOnTheWay {
  /** Written, and not yet on the bus. */
  readonly unpublished: number;
  /** On the bus, and not yet consumed here. */
  readonly unconsumed: number;
  /** The newest event that was written. */
  readonly last_written: string | null;
  /** When the newest event was consumed. */
  readonly last_consumed: string | null;
}

interface Marks {
  readonly unpublished: number;
  readonly last_written: string | null;
  readonly last_consumed: string | null;
}

// One statement, so that the marks are of the moment of the count. As text: a Date would round the microseconds.
const MARKS = sql(
  'sandbox.marks',
  `SELECT (SELECT count(*) FROM outbox WHERE published_at IS NULL) AS unpublished,
          (SELECT max(id) FROM outbox)::text AS last_written,
          (SELECT max(received_at) FROM inbox)::text AS last_consumed`,
);

/**
 * Counts a service's events in its database and on the bus, so every replica answers alike and for all of them. Without a bus
 * nothing of it ever moves.
 */
export class EventWatch {
  constructor(
    private readonly name: ServiceName,
    private readonly database: Queryable,
    private readonly bus: Pick<EventBus, 'unconsumed'> | null,
  ) {}

  /**
   * The bus is asked before the marks are read, so what an event did that the bus no longer has is in them. It is not asked
   * while the database says enough. Rejects when it does not answer.
   */
  async now(): Promise<EventsOnTheWay> {
    const before = await this.marks();
    if (!this.bus) return { ...before, unpublished: 0, unconsumed: 0 };
    if (before.unpublished > 0) return { ...before, unconsumed: 0 };
    const unconsumed = await this.bus.unconsumed(this.name);
    return { ...(await this.marks()), unconsumed };
  }

  private async marks(): Promise<Marks> {
    const [marks] = await this.database.query<Marks>(MARKS);
    if (!marks) throw new Error('a SELECT without FROM answered no row');
    return marks;
  }
}
