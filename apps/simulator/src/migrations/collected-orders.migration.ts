import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Redemptions that are paid by a transfer. Existing ones wait for no transfer, as before. */
export class CollectedOrders1700001020002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway_orders ADD COLUMN collected boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE gateway_orders DROP COLUMN collected');
  }
}
