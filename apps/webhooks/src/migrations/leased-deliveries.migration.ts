import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each part of the lease has exactly one usable index: due deliveries by `due_at`, running ones by `leased_until`, earlier ones by
 * `status`. PostgreSQL's statistics mostly describe an empty queue, and then any index seems equally good: with 30 000 waiting
 * deliveries, a lease took a second.
 */
export class LeasedDeliveries1700000013000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_leased',
      on: 'webhook_deliveries (webhook, leased_until) WHERE leased_until IS NOT NULL',
    });
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_due_at',
      on: 'webhook_deliveries (webhook, due_at, id) WHERE due_at IS NOT NULL',
    });
    await dropIndexConcurrently(runner, 'webhook_deliveries_due');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX webhook_deliveries_due ON webhook_deliveries (webhook, due_at) WHERE status = 'pending';
      DROP INDEX webhook_deliveries_due_at;
      DROP INDEX webhook_deliveries_leased`);
  }
}
