import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whom a collect request asks; null for a payment that is made by its URI. */
export class Collect1700000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments ADD COLUMN vpa text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments DROP COLUMN vpa');
  }
}
