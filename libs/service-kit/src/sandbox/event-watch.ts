import { sql, type Queryable } from '@fundrail/persistence';
import type { EventBus } from '@fundrail/messaging';
import type { ServiceName } from '@fundrail/contracts';

/** The events of one service that are on their way, and two marks that change with its progress. */
interface EventsOnTheWay {
  /** Written but not yet on the bus. */
  readonly unpublished: number;
  /** On the bus but not yet consumed here. */
  readonly unconsumed: number;
  /** The id of the newest written event. */
  readonly last_written: string | null;
  /** When the newest event was consumed. */
  readonly last_consumed: string | null;
}

type Marks = Omit<EventsOnTheWay, 'unconsumed'>;

// One statement, so that marks and count belong to the same moment. As text, because a Date would round the microseconds.
const MARKS = sql(
  'sandbox.marks',
  `SELECT (SELECT count(*) FROM outbox WHERE published_at IS NULL) AS unpublished,
          (SELECT max(id) FROM outbox)::text AS last_written,
          (SELECT max(received_at) FROM inbox)::text AS last_consumed`,
);

/**
 * Counts a service's events in its database and on the bus, so every replica gives the same answer for all. Without a bus events
 * never move.
 */
export class EventWatch {
  constructor(
    private readonly name: ServiceName,
    private readonly database: Queryable,
    private readonly bus: Pick<EventBus, 'unconsumed'> | null,
  ) {}

  /**
   * Reads the bus before the marks, so the marks include the effect of an event that has left the bus. Does not read the bus while
   * events are unpublished. Rejects when the bus or the database does not answer.
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
    if (!marks) throw new Error('a SELECT without FROM returned no row');
    return marks;
  }
}
