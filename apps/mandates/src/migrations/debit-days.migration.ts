import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tenant's choice of a first debit's day (DEB-12). Debits without one, and those of the release before, wait for a business day. */
export class DebitDays1900000000093 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mandate_debits ADD COLUMN first_on text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mandate_debits DROP COLUMN first_on');
  }
}
