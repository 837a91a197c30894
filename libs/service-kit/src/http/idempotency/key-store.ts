import { sql, type Queryable, type Statement } from '@fundrail/persistence';
import type { Cell } from '../../crypto/cell.ts';
import type { Clock } from '../../db/clock.ts';

/** A request that died holds its key this long (IDEM-9), by the database's wall clock. */
const HELD_MS = 60_000;

/** Which request holds a key. */
export interface Holding {
  readonly tenant: string;
  readonly key: string;
  readonly holder: string;
}

/** The cell of the encrypted answer under a key. */
export function bodyCell({ tenant, key }: Pick<Holding, 'tenant' | 'key'>): Cell {
  return { table: 'idempotency_keys', column: 'body', tenant, key: [tenant, key] };
}

/** The two hashes of a request: the one that is stored now, and the one that another release stores. `keyed` is one of them. */
export interface RequestHashes {
  readonly stored: string;
  readonly other: string;
  readonly keyed: string;
}

/** A key of another request, or of an earlier attempt of this one. `status` and `body` are null while that request runs. */
export interface FoundKey {
  readonly request_hash: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly held_ms: number;
}

// $6 is wall time, like all ages of keys, so that a retried jump of the sandbox's clock finds its key.
// NOT EXISTS, because ON CONFLICT alone would wait for a transaction that completes the key.
const TAKE_NEW = sql(
  'idempotency_keys.take_new',
  `INSERT INTO idempotency_keys (tenant, key, request_hash, holder, held_until, created_at)
   SELECT $1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond', $6::timestamptz
    WHERE NOT EXISTS (SELECT FROM idempotency_keys WHERE tenant = $1 AND key = $2)
   ON CONFLICT DO NOTHING RETURNING key`,
);
// Takes a key that is older than 24 h, or that a dead request holds. In the latter case the id that was drawn for it stays
// (CLAIM-1). The key of a running request is never taken, even when it is old. A locked row belongs to a request that is
// committing, so it is skipped.
const TAKE_OVER = sql(
  'idempotency_keys.take_over',
  `WITH free AS (
     SELECT tenant, key, created_at <= $6::timestamptz - interval '24 hours' AS is_old
       FROM idempotency_keys
      WHERE tenant = $1 AND key = $2
        AND (status IS NOT NULL OR held_until < clock_timestamp())
        AND (created_at <= $6::timestamptz - interval '24 hours' OR (status IS NULL AND request_hash IN ($3, $7)))
      FOR UPDATE SKIP LOCKED)
   UPDATE idempotency_keys k
      SET request_hash = $3, holder = $4, held_until = clock_timestamp() + $5 * interval '1 millisecond',
          status = NULL, body = NULL,
          created_at = CASE WHEN free.is_old THEN $6::timestamptz ELSE k.created_at END,
          resource_id = CASE WHEN free.is_old THEN NULL ELSE k.resource_id END
     FROM free WHERE k.tenant = free.tenant AND k.key = free.key
   RETURNING k.resource_id`,
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
const REFUSE = sql(
  'idempotency_keys.refuse',
  `UPDATE idempotency_keys SET status = $4, body = $5, request_hash = $6
    WHERE tenant = $1 AND key = $2 AND holder = $3 AND status IS NULL`,
);
const FREE = sql(
  'idempotency_keys.free',
  'DELETE FROM idempotency_keys WHERE tenant = $1 AND key = $2 AND holder = $3 AND status IS NULL',
);

/** All statements about `idempotency_keys`. */
export class KeyStore {
  constructor(
    private readonly database: Queryable,
    private readonly clock: Clock,
  ) {}

  /** Returns the id that was reserved under the key before, or null; undefined when the key cannot be taken. */
  async take(holding: Holding, { stored, other }: RequestHashes): Promise<string | null | undefined> {
    const { tenant, key, holder } = holding;
    const values = [tenant, key, stored, holder, HELD_MS, this.clock.now()];
    if ((await this.database.query(TAKE_NEW, values)).length > 0) return null;
    const [row] = await this.database.query<{ resource_id: string | null }>(TAKE_OVER, [...values, other]);
    return row?.resource_id;
  }

  async find(tenant: string, key: string): Promise<FoundKey | undefined> {
    const [row] = await this.database.query<FoundKey>(FIND, [tenant, key]);
    return row;
  }

  /** Returns the id that is stored under the key now, or undefined when the key was taken over. */
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

  /** Completes it with a refusal, and stores this hash of its request. Does nothing when it is completed or taken over. */
  async refuse(holding: Holding, status: number, body: string, hash: string): Promise<void> {
    await this.change(this.database, REFUSE, holding, status, body, hash);
  }

  async free(holding: Holding): Promise<void> {
    await this.change(this.database, FREE, holding);
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
