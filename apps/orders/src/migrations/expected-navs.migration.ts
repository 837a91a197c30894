import { SqlMigration } from '@fundrail/service-kit/db';

/** What decides the NAV of an order (ORD-36). Orders of the release before have no category, so nothing is expected of them. */
export class ExpectedNavs1900000000120 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE mf_orders ADD COLUMN scheme_category text, ADD COLUMN money_received_at timestamptz, ADD COLUMN money_settled_at timestamptz';
  protected readonly back =
    'ALTER TABLE mf_orders DROP COLUMN scheme_category, DROP COLUMN money_received_at, DROP COLUMN money_settled_at';
}
