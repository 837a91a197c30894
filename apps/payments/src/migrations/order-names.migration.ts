import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names of a payment's orders on the payer's page: the ISIN of the scheme, and the client's own name. Older payments have neither. */
export class OrderNames1900000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_orders ADD COLUMN scheme text, ADD COLUMN display_name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payment_orders DROP COLUMN scheme, DROP COLUMN display_name');
  }
}
