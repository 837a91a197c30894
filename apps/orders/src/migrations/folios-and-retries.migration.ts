import { SqlMigration } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of what clients of the upstream send and are answered. Replicas of the release before leave them null. */
export class RetriedOrders1900000000097 extends SqlMigration {
  protected readonly forward =
    'ALTER TABLE mf_orders ADD COLUMN server_ip text, ADD COLUMN retried_at timestamptz';
  protected readonly back = 'ALTER TABLE mf_orders DROP COLUMN server_ip, DROP COLUMN retried_at';
}

/** Lists folios page by page from their successful orders, by account and by number. Built while the service runs. */
export class OrdersOfFolios1900000000098 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    await runner.query(`
      CREATE INDEX CONCURRENTLY mf_orders_folio ON mf_orders (tenant, mf_investment_account, folio_number, scheme)
        WHERE state = 'successful' AND folio_number IS NOT NULL`);
    await runner.query(`
      CREATE INDEX CONCURRENTLY mf_orders_folio_number ON mf_orders (tenant, folio_number, mf_investment_account, scheme)
        WHERE state = 'successful' AND folio_number IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS mf_orders_folio');
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS mf_orders_folio_number');
  }
}
