import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Money from another account than the payer's, and money that came twice. */
export class OddCaptures1700000000700 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_payments
        ADD COLUMN third_party boolean NOT NULL DEFAULT false,
        ADD COLUMN captures integer NOT NULL DEFAULT 0 CHECK (captures BETWEEN 0 AND 2);
      UPDATE provider_payments SET captures = 1 WHERE status = 'captured';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments DROP COLUMN third_party, DROP COLUMN captures');
  }
}
