import type { PublishOutcome } from './event-bus.port.ts';
import type { OutboxRow } from './relay-connection.ts';

const FIRST_BACK_OFF_MS = 50;
const LONGEST_BACK_OFF_MS = 5_000;

interface Flight {
  readonly rows: readonly OutboxRow[];
  /** Refusals of this aggregate in a row. */
  readonly failures: number;
  /** Wall time in ms before which the aggregate is not retried; null while the bus has not answered. */
  retryAt: number | null;
}

/**
 * The events that the relay has given to the bus. Scans exclude an aggregate with events in flight until these are marked, and a
 * refused aggregate until its back-off has passed. So its later events wait, and all others continue.
 */
export class RelayFlight {
  readonly #flights = new Map<string, Flight>();
  #published: OutboxRow[] = [];

  /** @param onSettled called whenever the bus has answered for all events of an aggregate. */
  constructor(private readonly onSettled: () => void) {}

  /** The number of events without an answer from the bus. */
  get eventCount(): number {
    let count = 0;
    for (const flight of this.#flights.values()) if (flight.retryAt === null) count += flight.rows.length;
    return count;
  }

  /** Aggregates that a scan must exclude now. One that marks rows of `toMark` itself may take the next events of their aggregates. */
  busy(marking: readonly OutboxRow[] = []): string[] {
    this.#forgetOld();
    const freed = new Set(marking.map(({ event }) => event.aggregate_id));
    return [...this.#flights].flatMap(([aggregate, { retryAt }]) =>
      isDue(retryAt) || (retryAt === null && freed.has(aggregate)) ? [] : [aggregate],
    );
  }

  /** Tracks the rows until the bus has answered. `outcomes` has the outcome of each row at the same index. */
  follow(rows: readonly OutboxRow[], outcomes: readonly Promise<PublishOutcome>[]): void {
    const sent = rows.map((row, index) => ({ row, outcome: outcomes[index] }));
    for (const [aggregate, own] of Map.groupBy(sent, ({ row }) => row.event.aggregate_id)) {
      const ownRows = own.map(({ row }) => row);
      const failures = this.#flights.get(aggregate)?.failures ?? 0;
      this.#flights.set(aggregate, { rows: ownRows, failures, retryAt: null });
      void Promise.all(own.map(async ({ outcome }) => await outcome)).then((answers) =>
        this.#settle(aggregate, ownRows, answers),
      );
    }
  }

  /** Rows that the bus has accepted and that are not marked yet. Pass them to `marked` after marking them. */
  toMark(): readonly OutboxRow[] {
    return [...this.#published];
  }

  marked(rows: readonly OutboxRow[]): void {
    const done = new Set(rows);
    this.#published = this.#published.filter((row) => !done.has(row));
    for (const { event } of rows) this.#free(event.aggregate_id);
  }

  /** Counts only the events before the first refusal as published: later ones must not overtake it. */
  #settle(
    aggregate: string,
    rows: readonly OutboxRow[],
    answers: readonly (PublishOutcome | undefined)[],
  ): void {
    const refused = rows.findIndex((_, index) => answers[index]?.published !== true);
    this.#published.push(...(refused < 0 ? rows : rows.slice(0, refused)));
    if (refused >= 0) this.#backOff(aggregate, rows.slice(refused));
    this.onSettled();
  }

  #backOff(aggregate: string, rows: readonly OutboxRow[]): void {
    const failures = (this.#flights.get(aggregate)?.failures ?? 0) + 1;
    const pause = Math.min(LONGEST_BACK_OFF_MS, FIRST_BACK_OFF_MS * 2 ** Math.min(failures, 10));
    this.#flights.set(aggregate, { rows, failures, retryAt: Date.now() + pause });
  }

  /** A partly refused aggregate stays in its back-off. */
  #free(aggregate: string): void {
    const flight = this.#flights.get(aggregate);
    if (flight?.retryAt === null) this.#flights.delete(aggregate);
  }

  /** An aggregate that is due but not sent again has no rows left: another leader has published them. */
  #forgetOld(): void {
    const before = Date.now() - LONGEST_BACK_OFF_MS;
    for (const [aggregate, { retryAt }] of this.#flights)
      if (retryAt !== null && retryAt < before) this.#flights.delete(aggregate);
  }
}

function isDue(retryAt: number | null): boolean {
  return retryAt !== null && retryAt <= Date.now();
}
