import { SqlMigration } from '@fundrail/service-kit/db';

/** The times that decide an order's NAV. Null in orders of the release before, which trade on the day of their processing. */
export class TradedDays1900000000121 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE gateway_orders ADD COLUMN submitted_at timestamptz, ADD COLUMN money_arrived_at timestamptz';
  protected readonly back =
    'ALTER TABLE gateway_orders DROP COLUMN submitted_at, DROP COLUMN money_arrived_at';
}
