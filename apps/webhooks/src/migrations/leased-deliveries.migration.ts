import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each question of the lease has one index that answers it and no other that could: what is due by `due_at`, what is under way
 * by `leased_until`, what stands before by `status`. PostgreSQL knows a queue only from when it was last looked at, mostly
 * empty, and then takes any index for as good as another: among 30 000 waiting deliveries a lease took a second.
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
