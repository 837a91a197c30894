import { sql, type Statement } from '@fundrail/persistence';
import { logDaysAt } from '@fundrail/policies';
import type { FactoryProvider } from '@nestjs/common';
import { Clock } from '../db/clock.ts';
import { Database } from '../db/database.ts';
import { HousekeepingLane, type Look } from './housekeeping-lane.ts';

/** Rows that are deleted `days` after the time in `column`, which has an index. The names and `only` are constants of the code. */
export interface OldRows {
  readonly table: string;
  readonly column: string;
  /** `log_days`: those of `personal_data_retention` on the business date. */
  readonly days: number | 'log_days';
  /** The clock of the column's times. */
  readonly clock: 'business' | 'wall';
  /** A further condition of the rows; all of that age when left out. */
  readonly only?: string;
}

const DAY_MS = 86_400_000;
/** Rows in one statement, which takes milliseconds; the next one follows immediately while there are more. */
const MOST = 1_000;

/** Deletes a table's old rows in small steps. */
export class ForgetOldRows extends HousekeepingLane {
  readonly name: string;
  protected readonly pace = { everyMs: 600_000 };
  private readonly forget: Statement;

  constructor(
    clock: Clock,
    private readonly database: Database,
    private readonly rows: OldRows,
  ) {
    super(clock);
    const { table, column, only = 'true' } = rows;
    this.name = `forget ${table}`;
    this.forget = sql(
      `${table}.forget_old_rows`,
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${column} <= $1 AND (${only}) ORDER BY ${column} LIMIT ${MOST} FOR UPDATE SKIP LOCKED))
       RETURNING 1`,
    );
  }

  protected async look(businessNow: Date): Promise<Look> {
    const now = this.rows.clock === 'wall' ? this.clock.now() : businessNow;
    const days = this.rows.days === 'log_days' ? logDaysAt(businessNow) : this.rows.days;
    const before = new Date(now.getTime() - days * DAY_MS);
    const gone = await this.database.query(this.forget, [before]);
    return gone.length === MOST ? 'more' : 'done';
  }
}

/** The lane of a table, for a module's providers. */
export function forgetOldRows(rows: OldRows): FactoryProvider<ForgetOldRows> {
  return {
    provide: `forget ${rows.table}`,
    inject: [Clock, Database],
    useFactory: (clock: Clock, database: Database) => new ForgetOldRows(clock, database, rows),
  };
}
