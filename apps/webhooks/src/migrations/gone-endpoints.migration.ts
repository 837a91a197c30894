import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A delivery that got a 410 has its own failure code; the endpoint's other pending deliveries are given up because it is disabled. Stored
 * rows satisfy the wider constraint, so they are not checked again.
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
