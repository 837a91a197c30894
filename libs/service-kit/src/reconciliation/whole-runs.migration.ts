import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * reconciliation_run.whole_at: the wall time at which the last run without undone checks ended. For the row of an older release it is
 * the last run, if nothing was undone.
 */
const up = `
ALTER TABLE reconciliation_run ADD COLUMN whole_at timestamptz;
UPDATE reconciliation_run SET whole_at = ended_at WHERE undone = '[]';
`;

export class WholeRuns1700000056000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(up);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE reconciliation_run DROP COLUMN whole_at');
  }
}
