import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Failed and pending deliveries are listed by their own indexes. Before this, those few were searched for among months of delivered ones.
 */
export class ListedDeliveries1700000038001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_failed',
      on: "webhook_deliveries (tenant, webhook, id) WHERE status = 'failed'",
    });
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_pending',
      on: "webhook_deliveries (tenant, webhook, id) WHERE status = 'pending'",
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX webhook_deliveries_pending;
      DROP INDEX webhook_deliveries_failed`);
  }
}
