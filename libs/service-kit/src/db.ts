export { isLostDatabase, sql } from '@fundrail/messaging';
export type { CommitSignal, Queryable, Statement, Transactions, Tx } from '@fundrail/messaging';
export { Clock } from './db/clock.ts';
export {
  createIndexConcurrently,
  dropIndexConcurrently,
  type ConcurrentIndex,
} from './db/create-index-concurrently.ts';
export { Database } from './db/database.ts';
export { brokenConstraint, isRefusedByData, isRetryable, isUniqueViolation } from './db/database-errors.ts';
export { connectBeside, PLAN_BY_INDEX } from './db/open-database.ts';
export { inTransaction } from './db/open-transaction.ts';
export type { MigrationClass, ServiceDefinition } from './db/service-definition.ts';
export { serviceKitMigrations, serviceKitMigrationSql } from './db/service-kit.migration.ts';
export { databaseUrlFor, migrate } from './db/migrate.ts';
