import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of purchases that plans make (SIP-13, SIP-25). Replicas of the release before leave them null, and take no such installment. */
export class PurchaseInstallments1700001080002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mf_orders
        ADD COLUMN payable_until timestamptz,
        ADD COLUMN debited_mandate bigint,
        ADD COLUMN debit_over_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE mf_orders
        DROP COLUMN payable_until,
        DROP COLUMN debited_mandate,
        DROP COLUMN debit_over_at`);
  }
}
