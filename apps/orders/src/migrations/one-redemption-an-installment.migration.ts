import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One redemption for each installment of a plan (PLAN-16). */
export class OneRedemptionAnInstallment1700000000201 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'mf_orders_installment',
      on: 'mf_orders (plan, installment_number) WHERE plan IS NOT NULL AND installment_number IS NOT NULL',
      unique: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX mf_orders_installment`);
  }
}
