import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * payments_newest and payments_filtered are for the list only, which names their collation. On an empty table the planner rates
 * any usable index as good as the primary key; without the collation, a plan made then would find one payment by reading all
 * payments of its tenant (decision 0010). payment_orders_old_id no longer contains the tenant for the same reason.
 */
export class PaymentListIndexes1700000000341 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'payments_newest',
      on: 'payments (tenant COLLATE "C", created_at DESC, id DESC)',
    });
    await createIndexConcurrently(runner, {
      name: 'payments_filtered',
      on: 'payments (tenant COLLATE "C", payment_type, status, created_at DESC, id DESC)',
    });
    await createIndexConcurrently(runner, {
      name: 'payment_orders_old_id',
      on: 'payment_orders (old_id)',
    });
    await dropIndexConcurrently(runner, 'payments_newest_before');
    await dropIndexConcurrently(runner, 'payment_orders_old_id_before');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX payments_newest_before ON payments (tenant, created_at DESC, id DESC);
      CREATE INDEX payment_orders_old_id_before ON payment_orders (tenant, old_id);
      DROP INDEX payments_filtered, payments_newest, payment_orders_old_id`);
  }
}
