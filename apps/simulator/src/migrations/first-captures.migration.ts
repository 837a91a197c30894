import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first capture of a payment that was paid twice. Of an older one only the second capture is known. */
export class FirstCaptures1900000000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments ADD COLUMN first_reference text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE provider_payments DROP COLUMN first_reference');
  }
}
