import { SqlMigration } from '../db/sql-migration.ts';

/** Each database stores whether a sandbox or a product outside it uses it (`claimDatabase`). The row exists since the first migration. */
export class DatabaseUse1700001040000 extends SqlMigration {
  protected readonly forward = `ALTER TABLE business_clock ADD COLUMN used_as text CHECK (used_as IN ('sandbox', 'production'))`;
  protected readonly back = 'ALTER TABLE business_clock DROP COLUMN used_as';
}
