import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replayed deliveries have their own index, and the index for leasing new deliveries excludes them. So any number of them does not slow
 * new events down.
 */
export class ReplayIndexes1700000032001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_replay',
      on: 'webhook_deliveries (replay, status, due_at, id) WHERE replay IS NOT NULL',
    });
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_due_at',
      on: 'webhook_deliveries (webhook, due_at, id) WHERE due_at IS NOT NULL AND replay IS NULL',
    });
    await dropIndexConcurrently(runner, 'webhook_deliveries_due_at_before');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_due_at_before ON webhook_deliveries (webhook, due_at, id) WHERE due_at IS NOT NULL;
      DROP INDEX webhook_deliveries_due_at;
      DROP INDEX webhook_deliveries_replay`);
  }
}
