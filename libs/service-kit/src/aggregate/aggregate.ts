import type { Tx } from '@fundrail/persistence';
import type { Decision } from '@fundrail/state-machines';
import { RecordedAggregate, type DueChange, type RecordedParts } from './recorded-aggregate.ts';
import type { AggregateRow, AggregateRows } from './rows.ts';

export function obsolete(kind: string): DueChange {
  return { kind, due_at: null };
}

interface AggregateParts<Row extends AggregateRow> extends Omit<
  RecordedParts<Row, Decision<Row>>,
  'save' | 'idOf'
> {
  readonly rows: AggregateRows<Row>;
}

/** An aggregate whose rows are created and locked one by one, with the id as the key of their due work. */
export class Aggregate<Row extends AggregateRow> extends RecordedAggregate<Row, Decision<Row>> {
  readonly lock: AggregateRows<Row>['lock'];
  private readonly insert: AggregateRows<Row>['insert'];

  constructor({ rows: { lock, insert, save }, ...parts }: AggregateParts<Row>) {
    super({ ...parts, save, idOf: ({ id }) => String(id) });
    this.lock = lock;
    this.insert = insert;
  }

  /** Records a creation. Returns false, and writes nothing, when the row's unique reference is taken. */
  async create(tx: Tx, step: Decision<Row>): Promise<boolean> {
    if (!(await this.insert(tx, step.row))) return false;
    await this.announce(tx, [{ before: null, after: step.row, steps: [step] }]);
    return true;
  }

  /** Records steps of a row that this transaction has locked. */
  async record(tx: Tx, before: Row, ...steps: readonly Decision<Row>[]): Promise<void> {
    await this.recordAll(tx, [{ before, steps }]);
  }
}
