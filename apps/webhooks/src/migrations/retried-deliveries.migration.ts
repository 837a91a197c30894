import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index to count the manually retried deliveries of a replay. */
export class RetriedDeliveries1700000042001 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'webhook_deliveries_retried_of',
      on: 'webhook_deliveries (retried_of, status) WHERE retried_of IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX webhook_deliveries_retried_of`);
  }
}
