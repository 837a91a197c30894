import { sql, type Queryable } from '@fundrail/persistence';
import type { StoredAnswer } from './provider-answer.ts';

/** The recorded calls, by the names that operators see. */
export type CallName =
  | 'issue_uri'
  | 'send_collect'
  | 'authorise_by_collect'
  | 'create_order'
  | 'status'
  | 'cancel'
  | 'transfer'
  | 'transfer_status'
  | 'refund'
  | 'refund_status'
  | 'notify'
  | 'withdraw'
  | 'execute'
  | 'mandate_status';

/** One call, or several under the same reference with the answer of the last one. */
export interface RecordedCall extends StoredAnswer {
  readonly payment_id: number;
  readonly tenant: string;
  readonly reference: string;
  readonly call: CallName;
  /** How many of them were sent. */
  readonly sent: number;
}

/** A row of `provider_calls`. `tried_at` is null while nothing was sent. */
export interface RecordedCallRow {
  readonly reference: string;
  readonly attempts: number;
  readonly tried_at: Date | null;
  readonly call: string;
  readonly outcome: string;
  readonly detail: string | null;
  readonly answered_at: Date;
}

const RECORD = sql(
  'provider_calls.record',
  `INSERT INTO provider_calls AS c (payment_id, reference, tenant, attempts, call, outcome, detail, tried_at, answered_at)
   SELECT payment_id, reference, tenant, sent, call, outcome, detail, CASE WHEN sent > 0 THEN $8::timestamptz END, $8
     FROM unnest($1::bigint[], $2::text[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[])
            AS n (payment_id, reference, tenant, sent, call, outcome, detail)
   ON CONFLICT (payment_id, reference) DO UPDATE
     SET attempts = c.attempts + excluded.attempts, tried_at = coalesce(excluded.tried_at, c.tried_at), call = excluded.call,
         outcome = excluded.outcome, detail = excluded.detail, answered_at = excluded.answered_at`,
);

/** Adds calls to their references' rows, by one statement. No two may have the same reference; `now` is business time. */
export async function recordCalls(db: Queryable, calls: readonly RecordedCall[], now: Date): Promise<void> {
  // Always in the same order, so that two replicas do not deadlock.
  const rows = calls.toSorted((one, other) => (one.reference < other.reference ? -1 : 1));
  await db.query(RECORD, [
    rows.map(({ payment_id }) => payment_id),
    rows.map(({ reference }) => reference),
    rows.map(({ tenant }) => tenant),
    rows.map(({ sent }) => sent),
    rows.map(({ call }) => call),
    rows.map(({ outcome }) => outcome),
    rows.map(({ detail }) => detail),
    now,
  ]);
}

const CALLS = sql(
  'provider_calls.of',
  `SELECT reference, attempts, tried_at, call, outcome, detail, answered_at FROM provider_calls
    WHERE payment_id = $2 AND tenant = $1`,
);

/** The recorded calls of a payment, by reference. */
export async function callsOf(
  db: Queryable,
  { tenant, id }: { readonly tenant: string; readonly id: number },
): Promise<ReadonlyMap<string, RecordedCallRow>> {
  const rows = await db.query<RecordedCallRow>(CALLS, [tenant, id]);
  return new Map(rows.map((row) => [row.reference, row]));
}
