import type { TenantSettings } from '@fundrail/contracts';
import { sql, type Queryable } from '@fundrail/service-kit/db';
import type { TenantRow } from './tenant.entity.ts';

const insert = sql(
  'tenants.insert',
  `INSERT INTO tenants (name, id, settings, postback_secret_encrypted, created_at) VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (name) DO NOTHING RETURNING *`,
);
const find = sql('tenants.find', 'SELECT * FROM tenants WHERE name = $1');
const lock = sql('tenants.lock', 'SELECT * FROM tenants WHERE name = $1 FOR UPDATE');
const list = sql('tenants.list', 'SELECT * FROM tenants ORDER BY id DESC');
const updateSettings = sql(
  'tenants.update_settings',
  'UPDATE tenants SET settings = $2 WHERE name = $1 RETURNING *',
);

/** Null when the name is taken. */
export async function insertTenant(tx: Queryable, row: TenantRow): Promise<TenantRow | null> {
  const values = [
    row.name,
    row.id,
    JSON.stringify(row.settings),
    row.postback_secret_encrypted,
    row.created_at,
  ];
  const [inserted] = await tx.query<TenantRow>(insert, values);
  return inserted ?? null;
}

export async function findTenant(tx: Queryable, name: string): Promise<TenantRow | null> {
  const [row] = await tx.query<TenantRow>(find, [name]);
  return row ?? null;
}

export async function lockTenant(tx: Queryable, name: string): Promise<TenantRow | null> {
  const [row] = await tx.query<TenantRow>(lock, [name]);
  return row ?? null;
}

/** Newest first. */
export async function listTenants(tx: Queryable): Promise<TenantRow[]> {
  return tx.query<TenantRow>(list);
}

export async function updateTenantSettings(
  tx: Queryable,
  name: string,
  settings: TenantSettings,
): Promise<void> {
  await tx.query(updateSettings, [name, JSON.stringify(settings)]);
}
