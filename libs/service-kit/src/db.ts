export { isLostDatabase } from '@fundrail/messaging';
export { Baseline } from './db/baseline.ts';
export { Clock } from './db/clock.ts';
export { createIndexConcurrently, dropIndexConcurrently } from './db/create-index-concurrently.ts';
export { Database } from './db/database.ts';
export {
  brokenConstraint,
  isKeyTakenOver,
  isRefusedByData,
  isRetryable,
  isUniqueViolation,
} from './db/database-errors.ts';
export { connectBeside, PLAN_BY_INDEX } from './db/open-database.ts';
export { inTransaction } from './db/open-transaction.ts';
export type { UseEvidence } from './sandbox/database-use.ts';
export type { MigrationClass, ServiceDefinition } from './db/service-definition.ts';
export { missingMigrations } from './db/missing-migrations.ts';
export { serviceKitMigrations } from './db/service-kit.migration.ts';
export { SqlMigration } from './db/sql-migration.ts';
export { databaseUrlFor, migrate } from './db/migrate.ts';
