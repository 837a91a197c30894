import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts without a day are usually few. This index finds old ones even when there are many. */
export class AttemptsWithoutDay1700000043000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'delivery_attempts_other_stored_at',
      on: 'delivery_attempts_other (stored_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX delivery_attempts_other_stored_at');
  }
}
