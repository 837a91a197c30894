import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How money came in, where the provider reports it (FLOW-14). Null for captures before, and for those of the release before. */
export class WaysOfCaptures1900000000094 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE captures ADD COLUMN by_upi boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE captures DROP COLUMN by_upi');
  }
}
