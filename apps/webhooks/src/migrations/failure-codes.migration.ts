import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An attempt stores its URL and the time of its signature: the endpoint's URL may have changed since, and the sandbox clock differs from
 * the signature's. A delivery stores why it was given up. Rows are not checked, because none has the new column yet. The class name is
 * stored as the migration's name, so it does not change.
 */
export class ToldDeliveries1700000038000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE delivery_attempts ADD COLUMN url text, ADD COLUMN webhook_timestamp bigint;
      ALTER TABLE webhook_deliveries
        ADD COLUMN failure_code text,
        ADD CONSTRAINT webhook_deliveries_failure_code_check
          CHECK (failure_code IN ('attempts_exhausted', 'endpoint_disabled', 'endpoint_deleted')) NOT VALID,
        ADD CHECK (failure_code IS NULL OR status = 'failed') NOT VALID`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_deliveries DROP COLUMN failure_code;
      ALTER TABLE delivery_attempts DROP COLUMN url, DROP COLUMN webhook_timestamp`);
  }
}
