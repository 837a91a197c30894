import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A delivery that was answered with 410 says so; what merely waited at that endpoint was given up as it was disabled. What is stored
 * fits the wider rule, and is not checked again.
 */
export class GoneEndpoints1700000039000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries
        DROP CONSTRAINT webhook_deliveries_failure_code_check,
        ADD CONSTRAINT webhook_deliveries_failure_code_check
          CHECK (failure_code IN ('attempts_exhausted', 'endpoint_gone', 'endpoint_disabled', 'endpoint_deleted')) NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_failure_code_check;
      UPDATE webhook_deliveries SET failure_code = 'endpoint_disabled' WHERE failure_code = 'endpoint_gone';
      ALTER TABLE webhook_deliveries
        ADD CONSTRAINT webhook_deliveries_failure_code_check
          CHECK (failure_code IN ('attempts_exhausted', 'endpoint_disabled', 'endpoint_deleted'))`);
  }
}
