import type { Client } from 'pg';

const HOUR_MS = 3_600_000;
const PAGE = 1_000;

// Reads a page by the primary key, so that a turn is cheap for any table size, and deletes its rows published long ago. All times
// are the database's wall time. A page with a recent row ends the round, because ids are nearly in the order of time.
const FORGET = `WITH looked AS MATERIALIZED (
    SELECT id, published_at, created_at FROM outbox WHERE id > $1 ORDER BY id LIMIT $2
  ), gone AS (
    DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM looked WHERE published_at < now() - interval '7 days'))
  )
  SELECT max(id)::text AS last, count(*) = $2 AND max(created_at) < now() - interval '7 days' AS is_old FROM looked`;

/**
 * Deletes events that were published more than 7 wall days ago. The leading relay runs it every hour from the start of its lead.
 * It reads the rows by id, one page per turn, so that publishing continues between two turns. It skips a row that is unpublished
 * or was published again recently.
 */
export class OutboxCleanup {
  #after = '0';
  #nextAt = 0;

  constructor(private readonly client: Pick<Client, 'query'>) {}

  /** Processes the next page if it is due at `nowMs` (wall). True: call again immediately for the next page. */
  async turn(nowMs: number): Promise<boolean> {
    if (nowMs < this.#nextAt) return false;
    const { rows } = await this.client.query<{ last: string | null; is_old: boolean | null }>({
      name: 'outbox.forget',
      text: FORGET,
      values: [this.#after, PAGE],
    });
    const [page] = rows;
    if (page?.last && page.is_old) {
      this.#after = page.last;
      return true;
    }
    this.#after = '0';
    this.#nextAt = nowMs + HOUR_MS;
    return false;
  }
}
