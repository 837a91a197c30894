import { sql, type Queryable, type Statement } from '@fundrail/messaging';
import type { Clock } from '../../db/clock.ts';

/** A request that died holds its key this long (contract §10 "Idempotency"), by the database's wall clock. */
const HELD_MS = 60_000;

/** Which request holds a key. */
export interface Holding {
  readonly tenant: string;
  readonly key: string;
  readonly holder: string;
}

/** A key of another request, or of an earlier try of this one. `status` and `body` are null while that one runs. */
export interface FoundKey {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly held_ms: number;
}

// Takes a key that is new, older than 24 h of business time, or held by a request that died. In the last case the id that
// was drawn for it stays (architecture §11, 1). A running request's key is never taken for its age alone: the sandbox's
// clock can jump while it runs. The key with another request's hash is left as it is (422).
const TAKE = sql(
  'idempotency_keys.take',
  `INSERT INTO idempotency_keys AS k (tenant, key, request_hash, holder, held_until, created_at)
   SELECT $1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond', $6::timestamptz + offset_ms * interval '1 millisecond'
     FROM business_clock
   ON CONFLICT (tenant, key) DO UPDATE
      SET request_hash = excluded.request_hash, holder = excluded.holder, held_until = excluded.held_until,
          status = NULL, body = NULL,
          created_at = CASE WHEN k.created_at <= excluded.created_at - interval '24 hours' THEN excluded.created_at ELSE k.created_at END,
          resource_id = CASE WHEN k.created_at <= excluded.created_at - interval '24 hours' THEN NULL ELSE k.resource_id END
    WHERE (k.status IS NOT NULL OR k.held_until < clock_timestamp())
      AND (k.created_at <= excluded.created_at - interval '24 hours'
           OR (k.status IS NULL AND k.request_hash = excluded.request_hash))
   RETURNING resource_id`,
);
const FIND = sql(
  'idempotency_keys.find',
  `SELECT request_hash, status, body,
          greatest(0, ceil(extract(epoch FROM held_until - clock_timestamp()) * 1000))::int AS held_ms
     FROM idempotency_keys WHERE tenant = $1 AND key = $2`,
);
const RESERVE = sql(
  'idempotency_keys.reserve',
  `UPDATE idempotency_keys SET resource_id = coalesce(resource_id, $4)
    WHERE tenant = $1 AND key = $2 AND holder = $3 AND status IS NULL RETURNING resource_id`,
);
const COMPLETE = sql(
  'idempotency_keys.complete',
  `UPDATE idempotency_keys SET status = $4, body = $5
    WHERE tenant = $1 AND key = $2 AND holder = $3 AND status IS NULL RETURNING key`,
);
const FREE = sql(
  'idempotency_keys.free',
  'DELETE FROM idempotency_keys WHERE tenant = $1 AND key = $2 AND holder = $3 AND status IS NULL',
);
const FORGET = sql(
  'idempotency_keys.forget',
  `DELETE FROM idempotency_keys WHERE (tenant, key) IN (
     SELECT tenant, key FROM idempotency_keys
      WHERE created_at <= $1::timestamptz - interval '24 hours' AND (status IS NOT NULL OR held_until < clock_timestamp())
      LIMIT 1000) RETURNING key`,
);

/** Every statement about `idempotency_keys`. */
export class KeyStore {
  constructor(
    private readonly database: Queryable,
    private readonly clock: Clock,
  ) {}

  /** Answers the id that was reserved under the key before, or null; undefined when the key is not to be had. */
  async take(holding: Holding, requestHash: string): Promise<string | null | undefined> {
    const { tenant, key, holder } = holding;
    const values = [tenant, key, requestHash, holder, HELD_MS, this.clock.now()];
    const [row] = await this.database.query<{ resource_id: string | null }>(TAKE, values);
    return row?.resource_id;
  }

  async find(tenant: string, key: string): Promise<FoundKey | undefined> {
    const [row] = await this.database.query<FoundKey>(FIND, [tenant, key]);
    return row;
  }

  /** Answers the id that stands under the key now, or undefined when the key was taken over. */
  async reserve(holding: Holding, resourceId: string): Promise<string | undefined> {
    const [row] = await this.change<{ resource_id: string }>(this.database, RESERVE, holding, resourceId);
    return row?.resource_id;
  }

  /** Whether this holder could complete it; in the caller's transaction when one is given. */
  async complete(
    holding: Holding,
    status: number,
    body: string,
    on: Queryable = this.database,
  ): Promise<boolean> {
    return (await this.change(on, COMPLETE, holding, status, body)).length > 0;
  }

  async free(holding: Holding): Promise<void> {
    await this.change(this.database, FREE, holding);
  }

  /** Deletes what is older than 24 h of business time `now`. */
  async forgetOld(now: Date): Promise<void> {
    for (let deleted = 1000; deleted === 1000;) deleted = (await this.database.query(FORGET, [now])).length;
  }

  private change<Row>(
    on: Queryable,
    statement: Statement,
    holding: Holding,
    ...values: unknown[]
  ): Promise<Row[]> {
    return on.query<Row>(statement, [holding.tenant, holding.key, holding.holder, ...values]);
  }
}
