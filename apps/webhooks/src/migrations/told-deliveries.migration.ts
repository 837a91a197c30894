import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An attempt tells where it went and when it was signed: the endpoint's URL may be another by now, and the clock of the sandbox is
 * not that of the signature. A delivery tells why it was given up. No row has the new
 * column yet, so that none is checked.
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
