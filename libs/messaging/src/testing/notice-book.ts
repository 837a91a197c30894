import { sql, type Tx } from '@fundrail/persistence';
import { eventsOf } from '../new-event.ts';
import { appendEvents } from '../outbox.ts';
import { toNotice, type NoticeRow } from './notices.ts';
import { execute, type PgTransactions } from './pg-transactions.ts';

const LOCK = sql('notices.lock', 'SELECT id, tenant, event_seq, url FROM notices WHERE id = $1 FOR UPDATE');
const COUNT_ON = sql('notices.count_on', 'UPDATE notices SET event_seq = $2 WHERE id = $1');

/** A table of aggregates where every step emits one event, as in a service. */
export class NoticeBook {
  constructor(private readonly db: PgTransactions) {}

  async create(ids: readonly string[]): Promise<void> {
    await execute(
      this.db,
      'CREATE TABLE IF NOT EXISTS notices (id text PRIMARY KEY, tenant text NOT NULL, event_seq int NOT NULL, url text NOT NULL)',
    );
    const rows = ids.map((id) => `('${id}', 'demo', 0, 'https://buyer.example/')`);
    await execute(this.db, `INSERT INTO notices VALUES ${rows.join(', ')}`);
  }

  /** One step of the aggregate: lock its row, increment its sequence, append. */
  step(id: string): Promise<void> {
    return this.db.transaction((tx) => this.stepIn(tx, id));
  }

  /** The same in an open transaction. */
  async stepIn(tx: Tx, id: string): Promise<void> {
    const [before] = await tx.query<NoticeRow>(LOCK, [id]);
    if (!before) throw new Error(`no notice ${id}`);
    const row = { ...before, event_seq: before.event_seq + 1 };
    await tx.query(COUNT_ON, [id, row.event_seq]);
    const decision = { row, events: ['notification_webhook.test'] as const };
    await appendEvents(tx, eventsOf({ decision, before, aggregateId: id, toObject: toNotice, now: tx.now }));
  }
}
