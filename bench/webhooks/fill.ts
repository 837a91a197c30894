import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { EVENT_DATA } from '../lib/events.ts';

/** An endpoint as this benchmark knows it. */
export interface BenchEndpoint {
  readonly id: string;
  readonly tenant: string;
}

// Ids begin with their time, as the product's do: what is old is found by that.
const ID_HEAD = `evt_${Date.now().toString(16).padStart(12, '0')}`;

/** The id of the event of that number. */
export const eventId = (number: number) => ID_HEAD + number.toString(16).padStart(20, '0');

// The rows that the consumer of events writes for one subscribed endpoint, for many events in one statement; each has its own object.
const INSERT = {
  name: 'deliver',
  text: `
    WITH e AS (
      INSERT INTO events (id, tenant, type, object_id, subject, sequence, body, occurred_at, stored_at)
      SELECT $6::text || lpad(to_hex(n), 20, '0'), ($3::text[])[n % cardinality($3) + 1], 'payment.updated', n, 'payment:' || n, 1,
             '{"id":"' || $6 || lpad(to_hex(n), 20, '0') || '","object":"event","type":"payment.updated","data":' || $4
               || ',"time":"2026-01-05T10:01:45.020+05:30"}',
             now(), now()
        FROM generate_series($1::int, $2::int) AS n
      RETURNING *)
    INSERT INTO webhook_deliveries
      (id, tenant, webhook, event, type, object_id, subject, sequence, status, due_at, created_at)
    SELECT 'whd_' || replace(uuidv7()::text, '-', ''), tenant, ($5::text[])[object_id::int % cardinality($5) + 1], id, type,
           object_id, subject, sequence, 'pending', now(), now()
      FROM e`,
};

/** Writes events and their deliveries as a consumer in another process would: the sender has to find them. */
export class Deliveries {
  readonly #pool: pg.Pool;
  #next = 1;

  constructor(databaseUrl: string) {
    this.#pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  }

  /** `count` deliveries, to the endpoints in turn, by one commit. Answers their numbers: the ids of the events. */
  async add(count: number, endpoints: readonly BenchEndpoint[]): Promise<number[]> {
    const first = this.#next;
    this.#next += count;
    const tenants = endpoints.map(({ tenant }) => tenant);
    const ids = endpoints.map(({ id }) => id);
    const values = [first, first + count - 1, tenants, EVENT_DATA, ids, ID_HEAD];
    await this.#pool.query({ ...INSERT, values });
    return Array.from({ length: count }, (_, index) => first + index);
  }

  /** As autovacuum does it from time to time. */
  async vacuum(): Promise<void> {
    await this.#pool.query('VACUUM (ANALYZE) webhook_deliveries');
  }

  /** Until nothing waits any more: what is given up with its endpoint is given up in pieces, which cost as much as deliveries. */
  async untilNoneWaits(): Promise<void> {
    const waiting = "SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS waits";
    for (;;) {
      const { rows } = await this.#pool.query<{ waits: boolean }>(waiting);
      if (rows[0]?.waits === false) return;
      await pause(100);
    }
  }

  /** Attempts that were kept of those that ended well. */
  async attempts(): Promise<number> {
    const { rows } = await this.#pool.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM delivery_attempts WHERE status = 200',
    );
    return rows[0]?.n ?? 0;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
