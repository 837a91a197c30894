import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payment that an order showed before a claim whose payment was never created. */
export class LastPayment1700001020003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mf_orders ADD COLUMN last_payment_id bigint');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mf_orders DROP COLUMN last_payment_id');
  }
}
