import { SqlMigration } from '@fundrail/service-kit/db';

/** When a redemption was paid out. Those that the release before has processed are not. */
export class PaidRedemptions1900000000124 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE gateway_orders ADD COLUMN paid_out_at timestamptz';
  protected readonly back = 'ALTER TABLE gateway_orders DROP COLUMN paid_out_at';
}
