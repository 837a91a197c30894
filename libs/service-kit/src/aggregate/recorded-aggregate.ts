import { stringifyJson } from '@fundrail/contracts';
import { appendEvents, eventsOf, type NewEvent } from '@fundrail/messaging';
import { sql, type RowChange, type Tx } from '@fundrail/persistence';
import type { Decision } from '@fundrail/state-machines';
import { scheduleAllDue, type DueToSchedule } from '../due/due-batch.ts';
import { cancelDue } from '../due/schedule-due.ts';
import type { AggregateRow } from './rows.ts';

/** Due work. Without a key of its own it has the aggregate's id, and without a time it is obsolete. */
export type DueChange = Pick<DueToSchedule, 'kind' | 'attempts'> & {
  readonly key?: string;
  readonly due_at: Date | null;
};

/** What differs between aggregates. */
export interface RecordedParts<Row, Step extends Decision<Row>> {
  /** Writes what changed in rows that this transaction has locked, and in their children. */
  readonly save: (tx: Tx, changes: readonly RowChange<Row>[]) => Promise<void>;
  /** The aggregate's id in its events. */
  readonly idOf: (row: Row) => string;
  /** The table with a row for each step, and its columns besides `tenant`, `trigger`, `event_seq` and `at`: the same for every step. */
  readonly history: { readonly table: string; readonly of: (step: Step) => object } | null;
  /** What the events of a step carry: the object as GET returns it at that business time, or a fact. */
  readonly toDto: (row: Row, step: Step, now: Date) => object;
  /** Whether it is a fact, which has no earlier state. Default: never. */
  readonly isFact?: (step: Step) => boolean;
  /** The due work after steps of one row. Of several entries of one kind and key the last one counts. */
  readonly due?: (steps: readonly Step[], tx: Tx) => readonly DueChange[] | Promise<DueChange[]>;
}

/** What happened to one row. */
interface Change<Row, Step> {
  /** Null for a creation. */
  readonly before: Row | null;
  /** In their order. */
  readonly steps: readonly Step[];
  /** Default: as the last step left it. Some changes are no step, such as the intent of a call. */
  readonly after?: Row;
  /** Due work that was decided with the steps. Default: what is declared for them. */
  readonly due?: readonly DueChange[];
  /** W3C trace context of the work for this row. Default: the caller's. */
  readonly traceparent?: string | null;
}

/**
 * Writes each change in this order: the row, its history, its events, its due work. The statements share a round trip. The rows are created
 * and locked elsewhere.
 */
export class RecordedAggregate<
  Row extends Pick<AggregateRow, 'tenant' | 'event_seq'>,
  Step extends Decision<Row>,
> {
  constructor(private readonly parts: RecordedParts<Row, Step>) {}

  /**
   * Records changes of rows that this transaction has locked, each row once: a second decision about it would not see the first. All
   * history is one statement, and so are all events and all scheduled work.
   */
  async recordAll(tx: Tx, changes: readonly (Change<Row, Step> & { readonly before: Row })[]): Promise<void> {
    const all = changes.map((change) => ({ after: change.steps.at(-1)?.row ?? change.before, ...change }));
    const changed = all.filter(({ before, after }) => after !== before);
    await Promise.all([this.parts.save(tx, changed), this.announce(tx, all)]);
  }

  protected async announce(
    tx: Tx,
    changes: readonly (Change<Row, Step> & { readonly after: Row })[],
  ): Promise<void> {
    const steps = changes.flatMap((change) => change.steps);
    const events = changes.flatMap((change) => this.eventsOf(change, tx.now));
    await Promise.all([this.appendHistory(tx, steps), appendEvents(tx, events), this.changeDue(tx, changes)]);
  }

  private async changeDue(
    tx: Tx,
    changes: readonly (Change<Row, Step> & { readonly after: Row })[],
  ): Promise<void> {
    const { idOf, due: dueAfter } = this.parts;
    const scheduled: DueToSchedule[] = [];
    const ended: Pick<DueToSchedule, 'kind' | 'key'>[] = [];
    for (const { after, steps, due, traceparent = null } of changes) {
      const about = { key: idOf(after), tenant: after.tenant, traceparent };
      const works = (due ?? (await dueAfter?.(steps, tx)) ?? []).map((work) => ({ ...about, ...work }));
      // Work that one step schedules and the next makes obsolete is never written.
      const left = new Map(works.map((work) => [`${work.kind} ${work.key}`, work]));
      for (const { due_at, ...work } of left.values())
        if (due_at) scheduled.push({ ...work, due_at });
        else ended.push(work);
    }
    await Promise.all([
      ...ended.map(({ kind, key }) => cancelDue(tx, kind, key)),
      scheduleAllDue(tx, scheduled),
    ]);
  }

  private eventsOf({ before, steps, traceparent = null }: Change<Row, Step>, now: Date): NewEvent[] {
    const { idOf, toDto, isFact } = this.parts;
    return steps.flatMap((step, index) =>
      eventsOf({
        decision: step,
        before: isFact?.(step) ? null : (steps[index - 1]?.row ?? before),
        aggregateId: idOf(step.row),
        toObject: (row) => toDto(row, step, now),
        now,
        traceparent,
      }),
    );
  }

  private async appendHistory(tx: Tx, steps: readonly Step[]): Promise<void> {
    const { history } = this.parts;
    if (!history || steps.length === 0) return;
    const { table, of } = history;
    const rows = steps.map((step) => ({
      ...of(step),
      ...{ tenant: step.row.tenant, trigger: step.trigger, event_seq: step.row.event_seq, at: tx.now },
    }));
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    // As JSON, which takes the types from the table.
    const append = sql(
      `${table}.append`,
      `INSERT INTO ${table} (${columns}) SELECT ${columns}
         FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) WITH ORDINALITY ORDER BY ordinality`,
    );
    await tx.query(append, [stringifyJson(rows)]);
  }
}
