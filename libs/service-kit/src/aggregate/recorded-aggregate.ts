import { stringifyJson } from '@fundrail/contracts';
import { appendEvents, eventsOf, type NewEvent } from '@fundrail/messaging';
import { inOneStatement, sql, type RowChange, type Tx } from '@fundrail/persistence';
import type { Decision } from '@fundrail/state-machines';
import { scheduleAllDue, type DueToSchedule } from '../due/due-batch.ts';
import { cancelAllDue } from '../due/schedule-due.ts';
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

/** All due work after some changes. */
interface DueAfter {
  readonly scheduled: readonly DueToSchedule[];
  readonly ended: readonly Pick<DueToSchedule, 'kind' | 'key'>[];
}

/** Writes each change: the row, its history, its events, its due work. The rows are created and locked elsewhere. */
export class RecordedAggregate<
  Row extends Pick<AggregateRow, 'tenant' | 'event_seq'>,
  Step extends Decision<Row>,
> {
  constructor(private readonly parts: RecordedParts<Row, Step>) {}

  /**
   * Records changes of rows that this transaction has locked, each row once: a second decision about it would not see the first. All
   * of it is one statement (`inOneStatement`), with what `beside` writes.
   */
  async recordAll(
    tx: Tx,
    changes: readonly (Change<Row, Step> & { readonly before: Row })[],
    beside: (tx: Tx) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    const all = changes.map((change) => ({ after: change.steps.at(-1)?.row ?? change.before, ...change }));
    const changed = all.filter(({ before, after }) => after !== before);
    await this.announce(tx, all, (one) => Promise.all([this.parts.save(one, changed), beside(one)]));
  }

  /** Writes history, events and due work, and what `write` writes. */
  protected async announce(
    tx: Tx,
    changes: readonly (Change<Row, Step> & { readonly after: Row })[],
    write: (tx: Tx) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<void> {
    const steps = changes.flatMap((change) => change.steps);
    const events = changes.flatMap((change) => this.eventsOf(change, tx.now));
    const { scheduled, ended } = await this.dueAfter(tx, changes);
    await inOneStatement(tx, async (one) => {
      await write(one);
      await this.appendHistory(one, steps);
      await appendEvents(one, events);
      await cancelAllDue(one, ended);
      await scheduleAllDue(one, scheduled);
    });
  }

  private async dueAfter(
    tx: Tx,
    changes: readonly (Change<Row, Step> & { readonly after: Row })[],
  ): Promise<DueAfter> {
    const { idOf, due: dueAfter } = this.parts;
    // Work that one step schedules and the next makes obsolete is never written.
    const left = new Map<string, Omit<DueToSchedule, 'due_at'> & Pick<DueChange, 'due_at'>>();
    for (const { after, steps, due, traceparent = null } of changes) {
      const about = { key: idOf(after), tenant: after.tenant, traceparent };
      for (const change of due ?? (await dueAfter?.(steps, tx)) ?? []) {
        const work = { ...about, ...change };
        left.set(`${work.kind} ${work.key}`, work);
      }
    }
    const works = [...left.values()];
    return {
      scheduled: works.flatMap(({ due_at, ...work }) => (due_at ? [{ ...work, due_at }] : [])),
      ended: works.filter(({ due_at }) => due_at === null),
    };
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
