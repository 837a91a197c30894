import { defineTable, text, timestamptz, type RowOf } from '@fundrail/persistence';

/** An application of a tenant that may request tokens. `scope` is a space-separated list, or empty. */
export const CLIENTS = defineTable('clients', {
  tenant: text().primary(),
  client_id: text().primary(),
  secret_hash: text(),
  scope: text(),
  created_at: timestamptz(),
});

export type ClientRow = RowOf<typeof CLIENTS>;
