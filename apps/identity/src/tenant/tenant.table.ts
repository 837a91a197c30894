import type { TenantSettings } from '@fundrail/contracts';
import { defineTable, jsonb, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** A client of the operator. Every other row belongs to a tenant. */
export const TENANTS = defineTable('tenants', {
  name: text().primary(),
  id: text(),
  settings: jsonb<TenantSettings>(),
  postback_secret_encrypted: text(),
  created_at: timestamptz(),
});

export type TenantRow = RowOf<typeof TENANTS>;
