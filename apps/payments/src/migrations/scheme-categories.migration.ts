import { SqlMigration } from '@fundrail/service-kit/db';

/** The category of an order's scheme, for the page's sentence about the NAV. Null in shares of the release before. */
export class SchemeCategories1900000000122 extends SqlMigration {
  protected readonly forward = 'ALTER TABLE payment_orders ADD COLUMN scheme_category text';
  protected readonly back = 'ALTER TABLE payment_orders DROP COLUMN scheme_category';
}
