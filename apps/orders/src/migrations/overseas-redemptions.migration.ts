import { SqlMigration } from '@fundrail/service-kit/db';

/** Whether a redemption has the days of a scheme overseas, so that its last day can be counted again (ORD-37). */
export class OverseasRedemptions1900000000130 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE mf_orders ADD COLUMN is_overseas boolean';
  protected readonly back = 'ALTER TABLE mf_orders DROP COLUMN is_overseas';
}
