import { SqlMigration } from '@fundrail/service-kit/db';

/** Redemptions that are paid by a transfer. Existing ones wait for no transfer, as before. */
export class CollectedOrders1700001020002 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE gateway_orders ADD COLUMN collected boolean NOT NULL DEFAULT false';
  protected readonly back = 'ALTER TABLE gateway_orders DROP COLUMN collected';
}
