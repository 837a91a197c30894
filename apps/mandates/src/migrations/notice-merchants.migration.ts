import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The merchant that a notice states (DEB-8). A notice that the release before has called without an answer gets it at its next call. */
export class NoticeMerchants1900000000096 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mandate_debits ADD COLUMN notice_merchant text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mandate_debits DROP COLUMN notice_merchant');
  }
}
