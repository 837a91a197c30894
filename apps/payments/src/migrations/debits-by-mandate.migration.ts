import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the debits of a mandate when it is cancelled or has expired. */
export class DebitsByMandate1700000000371 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'debits_mandate_id',
      on: 'debits (mandate_id)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX debits_mandate_id`);
  }
}
