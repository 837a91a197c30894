import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The payment that gave up an order's money because the order was not confirmed (decision 0029). The rule also holds for replicas
 * of the previous release, which do not know the column: their confirmation fails.
 */
export class GivenUpOrders1700001010001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mf_orders
      ADD COLUMN given_up_by bigint,
      ADD CONSTRAINT mf_orders_given_up_is_not_confirmed CHECK
        (given_up_by IS NULL OR given_up_by IS DISTINCT FROM claimed_by
         OR state NOT IN ('confirmed', 'submitted', 'successful', 'reversed')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mf_orders DROP COLUMN given_up_by`);
  }
}
