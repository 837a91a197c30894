import { SqlMigration } from '@fundrail/service-kit/db';

/** The purchase that a retry created (ORD-34). Replicas of the release before leave it null. */
export class RetriedAs1900000000110 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE mf_orders ADD COLUMN retried_as text';
  protected readonly back = 'ALTER TABLE mf_orders DROP COLUMN retried_as';
}
