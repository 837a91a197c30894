import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The VPA of a collect request; null for a payment by URI. */
export class Collect1700000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments ADD COLUMN vpa text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments DROP COLUMN vpa');
  }
}
