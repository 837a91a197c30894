import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the deletion of old draws by their age. */
export class InstallmentDrawsByAge1700000000300 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'installment_draws_by_age',
      on: 'installment_draws (drawn_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX installment_draws_by_age');
  }
}
