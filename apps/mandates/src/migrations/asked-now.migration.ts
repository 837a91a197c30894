import { createAskedNow } from '@fundrail/service-kit/due';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** asked_now: when operators asked about a debit at once. It bounds the questions of operators (ADMIN-16). */
export class AskedNow1900000000112 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createAskedNow(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE asked_now');
  }
}
