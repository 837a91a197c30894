import type { MigrationInterface, QueryRunner } from 'typeorm';

/** mandates.doubted_at: the provider reported a pause and got its answer, but the mandate's status is not confirmed yet. */
export class MandatesDoubted1700000014000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE mandates ADD COLUMN doubted_at timestamptz,
      ADD CONSTRAINT mandates_only_approved_is_doubted CHECK (doubted_at IS NULL OR mandate_status = 'APPROVED')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE mandates DROP COLUMN doubted_at');
  }
}
