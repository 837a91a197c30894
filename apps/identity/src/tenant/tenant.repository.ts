import type { TenantSettings } from '@fundrail/contracts';
import { parameters, sql, valuesOf, type Queryable } from '@fundrail/persistence';
import { settingsOf } from './tenant.ts';
import { TENANTS, type TenantRow } from './tenant.table.ts';

const insert = sql(
  'tenants.insert',
  `INSERT INTO tenants (${TENANTS.inserted.join(', ')}) VALUES (${parameters(TENANTS.inserted)})
   ON CONFLICT (name) DO NOTHING RETURNING *`,
);
const find = sql('tenants.find', 'SELECT * FROM tenants WHERE name = $1');
const lock = sql('tenants.lock', 'SELECT * FROM tenants WHERE name = $1 FOR UPDATE');
const list = sql('tenants.list', 'SELECT * FROM tenants ORDER BY id DESC');
const rates = sql(
  'tenants.rate_limits',
  `SELECT name, settings->'rate_limits' AS rate_limits FROM tenants WHERE name = ANY($1)`,
);
const updateSettings = sql(
  'tenants.update_settings',
  'UPDATE tenants SET settings = $2 WHERE name = $1 RETURNING *',
);

/** Adds the settings that a row of an earlier release lacks. */
function whole(row: TenantRow): TenantRow {
  return { ...row, settings: settingsOf(row) };
}

/** Null when the name is taken. */
export async function insertTenant(tx: Queryable, row: TenantRow): Promise<TenantRow | null> {
  const [inserted] = await tx.query<TenantRow>(insert, valuesOf(row, TENANTS.inserted));
  return inserted ? whole(inserted) : null;
}

export async function findTenant(tx: Queryable, name: string): Promise<TenantRow | null> {
  const [row] = await tx.query<TenantRow>(find, [name]);
  return row ? whole(row) : null;
}

export async function lockTenant(tx: Queryable, name: string): Promise<TenantRow | null> {
  const [row] = await tx.query<TenantRow>(lock, [name]);
  return row ? whole(row) : null;
}

/** Newest first. */
export async function listTenants(tx: Queryable): Promise<TenantRow[]> {
  return (await tx.query<TenantRow>(list)).map(whole);
}

export async function updateTenantSettings(
  tx: Queryable,
  name: string,
  settings: TenantSettings,
): Promise<void> {
  await tx.query(updateSettings, [name, JSON.stringify(settings)]);
}

/** The limits of those of the tenants that exist. */
export async function rateLimitsOf(
  tx: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, TenantSettings['rate_limits']>> {
  const rows = await tx.query<Pick<TenantSettings, 'rate_limits'> & { name: string }>(rates, [names]);
  return new Map(rows.map(({ name, rate_limits }) => [name, rate_limits]));
}
