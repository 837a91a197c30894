import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds what an account has paid by UPI lately, and what it may be paying, without reading its older payments (FLOW-14). */
export class UpiOfAccount1900000000092 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'payments_upi_of_account',
      on: `payments (from_bank_account_id, debit_confirmed_at)
           WHERE payment_type = 'NETBANKING' AND method IS DISTINCT FROM 'NETBANKING' AND failed_at IS NULL`,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'payments_upi_of_account');
  }
}
