import { sql, type Queryable } from '@fundrail/persistence';
import type { ClientRow } from './client.entity.ts';

const insert = sql(
  'clients.insert',
  'INSERT INTO clients (tenant, client_id, secret_hash, scope, created_at) VALUES ($1, $2, $3, $4, $5) RETURNING *',
);
const upsert = sql(
  'clients.upsert',
  `INSERT INTO clients (tenant, client_id, secret_hash, scope, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (tenant, client_id) DO UPDATE SET secret_hash = excluded.secret_hash, scope = excluded.scope`,
);
const find = sql('clients.find', 'SELECT * FROM clients WHERE tenant = $1 AND client_id = $2');
const list = sql(
  'clients.list',
  'SELECT * FROM clients WHERE tenant = $1 ORDER BY created_at DESC, client_id DESC',
);
const remove = sql(
  'clients.remove',
  'DELETE FROM clients WHERE tenant = $1 AND client_id = $2 RETURNING client_id',
);

const valuesOf = (row: ClientRow) => [row.tenant, row.client_id, row.secret_hash, row.scope, row.created_at];

export async function insertClient(tx: Queryable, row: ClientRow): Promise<void> {
  await tx.query(insert, valuesOf(row));
}

/** For the operator's first client. Its secret comes from the environment and may have changed there. */
export async function putClient(tx: Queryable, row: ClientRow): Promise<void> {
  await tx.query(upsert, valuesOf(row));
}

export async function findClient(tx: Queryable, tenant: string, clientId: string): Promise<ClientRow | null> {
  const [row] = await tx.query<ClientRow>(find, [tenant, clientId]);
  return row ?? null;
}

/** Newest first. */
export async function listClients(tx: Queryable, tenant: string): Promise<ClientRow[]> {
  return tx.query<ClientRow>(list, [tenant]);
}

/** False when there is no such client. */
export async function removeClient(tx: Queryable, tenant: string, clientId: string): Promise<boolean> {
  const rows = await tx.query(remove, [tenant, clientId]);
  return rows.length > 0;
}
