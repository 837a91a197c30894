import { SqlMigration } from '@fundrail/service-kit/db';

/** The address of the client's server that created a purchase plan. Replicas of the release before leave it null. */
export class PlanServers1900000000112 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE redemption_plans ADD COLUMN server_ip text';
  protected readonly back = 'ALTER TABLE redemption_plans DROP COLUMN server_ip';
}
