import { insertRow, parameters, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import { CLIENTS, type ClientRow } from './client.table.ts';

const upsert = sql(
  'clients.upsert',
  `INSERT INTO clients (${CLIENTS.inserted.join(', ')}) VALUES (${parameters(CLIENTS.inserted)})
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

export const insertClient = insertRow(CLIENTS, 'RETURNING *');

/** For the operator's first client. Its secret comes from the environment and may have changed there. */
export async function putClient(tx: Queryable, row: ClientRow): Promise<void> {
  await tx.query(upsert, valuesOf(row, CLIENTS.inserted));
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
