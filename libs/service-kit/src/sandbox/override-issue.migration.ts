import { SqlMigration } from '../db/sql-migration.ts';

/** When the newest document of overrides that this service has started with was issued (`claimOverrides`). */
export class OverrideIssue1700001070002 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE business_clock ADD COLUMN overrides_issued_at timestamptz';
  protected readonly back = 'ALTER TABLE business_clock DROP COLUMN overrides_issued_at';
}
