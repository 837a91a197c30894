import { istTimestamp, type AuditEntryDto } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/service-kit/db';

/** One admin call. Written before the call has its effect, so that no effect is without its row. */
export interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly tenant: string;
  readonly client_id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly request_id: string;
}

const insert = sql(
  'audit_entries.insert',
  `INSERT INTO audit_entries (at, tenant, client_id, method, path, request_id)
   VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
);
const setStatus = sql('audit_entries.set_status', 'UPDATE audit_entries SET status = $2 WHERE id = $1');
const list = sql(
  'audit_entries.list',
  `SELECT * FROM audit_entries WHERE $2::bigint IS NULL OR id < $2::bigint ORDER BY id DESC LIMIT $1`,
);

/** Answers the entry's id. */
export async function insertAuditEntry(tx: Queryable, row: Omit<AuditRow, 'id' | 'status'>): Promise<number> {
  const values = [row.at, row.tenant, row.client_id, row.method, row.path, row.request_id];
  const [inserted] = await tx.query<{ id: number }>(insert, values);
  if (!inserted) throw new Error('the insert of an audit entry answered no row');
  return inserted.id;
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

export function toAuditEntry(row: AuditRow): AuditEntryDto {
  const { id, tenant, client_id, method, path, status, request_id } = row;
  return {
    object: 'audit_entry',
    id,
    at: istTimestamp(row.at),
    tenant,
    client_id,
    method,
    path,
    status,
    request_id,
  };
}
