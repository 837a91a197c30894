import type { Client } from 'pg';

const HOUR_MS = 3_600_000;
const PAGE = 1_000;

// A page by the primary key, so that a turn is cheap whatever the size of the table; what was published long ago of it goes. All
// times are the database's wall time. A page with a young row ends the round: ids are given out in the order of time, nearly.
const FORGET = `WITH looked AS MATERIALIZED (
    SELECT id, published_at, created_at FROM outbox WHERE id > $1 ORDER BY id LIMIT $2
  ), gone AS (
    DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM looked WHERE published_at < now() - interval '7 days'))
  )
  SELECT max(id)::text AS last, count(*) = $2 AND max(created_at) < now() - interval '7 days' AS is_old FROM looked`;

/**
 * Deletes what was published more than 7 wall days ago, for the relay that leads: every hour from the beginning of its lead on. It
 * goes through the rows by their ids, a page a turn, so that publishing goes on between two; a row that is still unpublished, or
 * was published anew, is passed by and holds up nothing behind it.
 */
export class OutboxForgetting {
  #after = '0';
  #nextAt = 0;

  constructor(private readonly client: Pick<Client, 'query'>) {}

  /** Looks at the next page when it is time to, at `nowMs` (wall). True: another one is to follow at once. */
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
