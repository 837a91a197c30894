import { createIndexConcurrently, dropIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the payments of an investor, for the export and the erasure of personal data (INV-19). */
export class PaymentsOfAccount1900000000120 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'payments_of_account',
      on: 'payments (from_bank_account_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndexConcurrently(runner, 'payments_of_account');
  }
}
