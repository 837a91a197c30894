import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns that distinguish the submission of a collected installment from the return of its money (decision 0030). */
export class ReturnedCollections1700001020001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mf_orders
        ADD COLUMN submission_called_at timestamptz,
        ADD COLUMN submission_over_at timestamptz,
        ADD COLUMN submission_stopped_at timestamptz,
        ADD COLUMN collection_returned_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mf_orders
        DROP COLUMN submission_called_at,
        DROP COLUMN submission_over_at,
        DROP COLUMN submission_stopped_at,
        DROP COLUMN collection_returned_at`);
  }
}
