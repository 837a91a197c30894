import { istTimestamp, type AuditEntryDto } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/persistence';

/**
 * One call of an operator, or one refusal with its count. Written before the call takes effect, so that no effect lacks its row.
 * `tenant` and `client_id` are the token's, null without a valid token. `acted_in` is null in rows of releases that did not record
 * it.
 */
interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly tenant: string | null;
  readonly client_id: string | null;
  readonly acted_in: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly request_id: string;
  readonly times: number;
}

const insert = sql(
  'audit_entries.insert',
  `INSERT INTO audit_entries (at, tenant, client_id, acted_in, method, path, request_id, status, call_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
   ON CONFLICT (call_id) DO UPDATE SET call_id = excluded.call_id RETURNING id`,
);
const setStatus = sql('audit_entries.set_status', 'UPDATE audit_entries SET status = $2 WHERE id = $1');
const addTimes = sql('audit_entries.add_times', 'UPDATE audit_entries SET times = times + $2 WHERE id = $1');
const list = sql(
  'audit_entries.list',
  `SELECT id, at, tenant, client_id, acted_in, method, path, status, request_id, times
     FROM audit_entries WHERE id < coalesce($2::bigint, 9223372036854775807) ORDER BY id DESC LIMIT $1`,
);

/**
 * Returns the entry's id. `call` is the unique name of the call: a second insert with it returns the first row. Null: the call has
 * no name.
 */
export async function insertAuditEntry(
  tx: Queryable,
  row: Omit<AuditRow, 'id' | 'times'>,
  call: string | null = null,
): Promise<number> {
  const { at, tenant, client_id, acted_in, method, path, request_id, status } = row;
  const values = [at, tenant, client_id, acted_in, method, path, request_id, status, call];
  const [inserted] = await tx.query<{ id: number }>(insert, values);
  if (!inserted) throw new Error('the insert of an audit entry returned no row');
  return inserted.id;
}

/** Adds `more` to the count of the same refusal. */
export async function addAuditTimes(tx: Queryable, id: number, more: number): Promise<void> {
  await tx.query(addTimes, [id, more]);
}

export async function setAuditStatus(tx: Queryable, id: number, status: number): Promise<void> {
  await tx.query(setStatus, [id, status]);
}

/** Newest first. */
export async function listAuditEntries(
  tx: Queryable,
  limit: number,
  before: number | null,
): Promise<AuditRow[]> {
  return tx.query<AuditRow>(list, [limit, before]);
}

export function toAuditEntry({ at, ...row }: AuditRow): AuditEntryDto {
  return { object: 'audit_entry', ...row, at: istTimestamp(at) };
}
