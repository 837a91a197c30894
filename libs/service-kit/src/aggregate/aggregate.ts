import { stringifyJson } from '@fundrail/contracts';
import { appendEvents, eventsOf } from '@fundrail/messaging';
import { sql, type Tx } from '@fundrail/persistence';
import type { Decision } from '@fundrail/state-machines';
import { scheduleAllDue, type DueToSchedule } from '../due/due-batch.ts';
import { cancelDue } from '../due/schedule-due.ts';
import type { AggregateRow, AggregateRows } from './rows.ts';

/** Due work whose key is the aggregate's id. Without a time it is obsolete. */
export type DueChange = Pick<DueToSchedule, 'kind' | 'attempts'> & { readonly due_at: Date | null };

export function obsolete(kind: string): DueChange {
  return { kind, due_at: null };
}

/** What differs between aggregates. */
interface AggregateParts<Row extends AggregateRow> {
  readonly rows: AggregateRows<Row>;
  /** The table with a row for each step, and its columns besides `tenant`, `trigger`, `event_seq` and `at`: the same for every step. */
  readonly history: { readonly table: string; readonly of: (step: Decision<Row>) => object };
  /** The object as GET returns it and as its events carry it. */
  readonly toDto: (row: Row) => object;
  /** The due work after steps of one row. Of several entries of one kind the last one counts. */
  readonly due?: (steps: Steps<Row>, tx: Tx) => readonly DueChange[] | Promise<DueChange[]>;
}

type Steps<Row> = readonly Decision<Row>[];

/** Steps of one row, in their order. */
interface Change<Row, Before = Row | null> {
  readonly before: Before;
  readonly steps: Steps<Row>;
}

/** Writes each change in this order: the row, its history, its events, its due work. */
export class Aggregate<Row extends AggregateRow> {
  readonly lock: AggregateRows<Row>['lock'];

  constructor(private readonly parts: AggregateParts<Row>) {
    this.lock = parts.rows.lock;
  }

  /** Records a creation. Returns false, and writes nothing, when the row's unique reference is taken. */
  async create(tx: Tx, step: Decision<Row>): Promise<boolean> {
    if (!(await this.parts.rows.insert(tx, step.row))) return false;
    await this.announce(tx, [{ before: null, steps: [step] }]);
    return true;
  }

  /** Records steps of a row that this transaction has locked. */
  async record(tx: Tx, before: Row, ...steps: Steps<Row>): Promise<void> {
    await this.recordAll(tx, [{ before, steps }]);
  }

  /** The same for several rows, each of them once. All history is one statement, and so are all events and all scheduled work. */
  async recordAll(tx: Tx, changes: readonly Change<Row, Row>[]): Promise<void> {
    const saved = changes.flatMap(({ before, steps }) =>
      steps.slice(-1).map(({ row }) => ({ before, after: row })),
    );
    if (saved.length === 0) return;
    await this.parts.rows.save(tx, saved);
    await this.announce(tx, changes);
  }

  private async announce(tx: Tx, changes: readonly Change<Row>[]): Promise<void> {
    const { toDto: toObject, due } = this.parts;
    const all = changes.flatMap(({ before, steps }) =>
      steps.map((decision, index) => ({ decision, before: steps[index - 1]?.row ?? before })),
    );
    await this.appendHistory(tx, all);
    const events = all.flatMap((step) =>
      eventsOf({ ...step, aggregateId: String(step.decision.row.id), toObject, now: tx.now }),
    );
    await appendEvents(tx, events);
    const scheduled: DueToSchedule[] = [];
    for (const { steps } of changes) {
      const row = steps[0]?.row;
      if (!row || !due) continue;
      const about = { key: String(row.id), tenant: row.tenant };
      // Work that one step schedules and the next makes obsolete is never written.
      const left = new Map((await due(steps, tx)).map((work) => [work.kind, work]));
      for (const { kind, due_at, ...work } of left.values())
        if (due_at) scheduled.push({ kind, due_at, ...work, ...about });
        else await cancelDue(tx, kind, about.key);
    }
    await scheduleAllDue(tx, scheduled);
  }

  private async appendHistory(tx: Tx, steps: readonly { decision: Decision<Row> }[]): Promise<void> {
    const { table, of } = this.parts.history;
    const rows = steps.map(({ decision, decision: { row, trigger } }) => ({
      ...of(decision),
      ...{ tenant: row.tenant, trigger, event_seq: row.event_seq, at: tx.now },
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
