import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An attempt tells where it went and when it was signed: the endpoint's URL may be another by now, and the clock of the sandbox is
 * not that of the signature. A delivery tells why it was given up. What has failed and what waits is listed by an index of its
 * own: among months of deliveries that were taken, those few were looked for one by one.
 */
export class ToldDeliveries1700000038000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE delivery_attempts ADD COLUMN url text, ADD COLUMN webhook_timestamp bigint;
      ALTER TABLE webhook_deliveries
        ADD COLUMN failure_code text
          CHECK (failure_code IN ('attempts_exhausted', 'endpoint_disabled', 'endpoint_deleted')),
        ADD CHECK (failure_code IS NULL OR status = 'failed');
      CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (tenant, webhook, id) WHERE status = 'failed';
      CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (tenant, webhook, id) WHERE status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_deliveries_pending;
      DROP INDEX webhook_deliveries_failed;
      ALTER TABLE webhook_deliveries DROP COLUMN failure_code;
      ALTER TABLE delivery_attempts DROP COLUMN url, DROP COLUMN webhook_timestamp`);
  }
}
