import type { Holidays } from '@fundrail/contracts';
import { sql, type Statement, type Tx } from '@fundrail/persistence';
import { Injectable } from '@nestjs/common';
import { Database } from '../db/database.ts';
import { scheduleAllDue } from '../due/due-batch.ts';
import type { DueResult, DueWork } from '../due/due-work.ts';
import { scheduleDue } from '../due/schedule-due.ts';
import { HandlesDue } from '../due/handles-due.decorator.ts';
import { Log } from '../logging/log.ts';
import { holidaysForDeadline } from './holiday-copy.repository.ts';

/** Due work that counts a page of deadlines again; its key is `keyOf`. */
export const RECOUNT = 'deadlines.recount';

/** A kind of due work with a time that is counted in business days. */
export interface CountedDeadline {
  readonly kind: string;
  /**
   * Locks a page of this work in the order of its keys and returns `key`, `tenant`, `due_at` and `counted_from` of each. $1 is the key
   * before the page, which has at most `CountedDeadlines.page` rows. With `instead` it locks nothing.
   */
  readonly page: Statement;
  /** The deadline that is counted from that instant; `now` is business time. */
  readonly deadline: (countedFrom: Date, holidays: Holidays, now: Date) => Date;
  /** When more than the time of the work changes: due work of this kind with the same key is scheduled instead of the move. */
  readonly instead?: string;
}

/** The deadlines of a service that follow the holiday list. */
export abstract class CountedDeadlines {
  /** Rows of one transaction, which locks these deadlines and blocks a further change of the list. */
  static readonly page = 500;
  abstract readonly all: readonly CountedDeadline[];
}

interface Counted {
  readonly key: string;
  readonly tenant: string;
  readonly due_at: Date;
  readonly counted_from: Date;
}

const move = sql(
  'due_work.move',
  `UPDATE due_work w SET due_at = m.due_at FROM unnest($2::text[], $3::timestamptz[]) AS m (key, due_at)
    WHERE w.kind = $1 AND w.key = m.key AND w.key = ANY ($2)`,
);

/**
 * Counts deadlines again when the holiday list has changed (CONV-35). Each transaction handles one page and schedules the next, so
 * work continues after a crash, and two replicas handle a page at most twice. A deadline in the past by the new list is due now.
 */
@Injectable()
export class RecountDeadlines {
  constructor(
    private readonly database: Database,
    private readonly deadlines: CountedDeadlines,
    private readonly log: Log,
  ) {}

  /** In the transaction that changes the list. */
  async begin(tx: Tx, tenant: string): Promise<void> {
    for (const { kind } of this.deadlines.all)
      await scheduleDue(tx, { kind: RECOUNT, key: keyOf(kind, ''), tenant, due_at: tx.now });
  }

  @HandlesDue(RECOUNT)
  async recount({ key, tenant }: DueWork): Promise<DueResult> {
    const [kind = '', after = ''] = key.split(' ');
    const deadline = this.deadlines.all.find((one) => one.kind === kind);
    if (!deadline) return 'done';
    const moved = await this.database.transaction(async (tx) => {
      const holidays = await holidaysForDeadline(tx);
      const rows = await tx.query<Counted>(deadline.page, [after]);
      const changed = await movePage(tx, deadline, rows, holidays);
      const last = rows.length === CountedDeadlines.page ? rows.at(-1) : undefined;
      if (last) await scheduleDue(tx, { kind: RECOUNT, key: keyOf(kind, last.key), tenant, due_at: tx.now });
      return changed;
    });
    if (moved > 0) this.log.info('deadlines follow the holiday list', { kind, moved });
    return 'done';
  }
}

/** The key of the page after that key; empty for the first page. Neither kinds nor keys contain spaces. */
export function keyOf(kind: string, after: string): string {
  return `${kind} ${after}`;
}

/** Returns how many deadlines have changed. */
async function movePage(
  tx: Tx,
  { kind, deadline, instead }: CountedDeadline,
  rows: readonly Counted[],
  holidays: Holidays,
): Promise<number> {
  const moved = rows.flatMap(({ key, tenant, due_at, counted_from }) => {
    const at = deadline(counted_from, holidays, tx.now);
    return at.getTime() === due_at.getTime() ? [] : [{ key, tenant, at }];
  });
  if (moved.length === 0) return 0;
  if (instead !== undefined) {
    const due_at = tx.now;
    await scheduleAllDue(
      tx,
      moved.map(({ key, tenant }) => ({ kind: instead, key, tenant, due_at })),
    );
    return moved.length;
  }
  await tx.query(move, [kind, moved.map(({ key }) => key), moved.map(({ at }) => at)]);
  tx.signal('due');
  return moved.length;
}
