import type { MigrationInterface, QueryRunner } from 'typeorm';

const CODES = `'attempts_exhausted', 'endpoint_gone', 'endpoint_disabled', 'endpoint_deleted'`;

/**
 * A replay can be cancelled, and its unsent deliveries then have the failure code `replay_cancelled`. A delivery that is retried manually
 * leaves its replay's queue, but is still counted as one of its deliveries. Stored rows satisfy the wider constraint, so they are not
 * checked again.
 */
export class CancelledReplays1700000042000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries
        DROP CONSTRAINT webhook_deliveries_failure_code_check,
        ADD CONSTRAINT webhook_deliveries_failure_code_check
          CHECK (failure_code IN (${CODES}, 'replay_cancelled')) NOT VALID,
        ADD COLUMN retried_of text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_failure_code_check, DROP COLUMN retried_of;
      UPDATE webhook_deliveries SET failure_code = 'endpoint_disabled' WHERE failure_code = 'replay_cancelled';
      ALTER TABLE webhook_deliveries
        ADD CONSTRAINT webhook_deliveries_failure_code_check CHECK (failure_code IN (${CODES}))`);
  }
}
