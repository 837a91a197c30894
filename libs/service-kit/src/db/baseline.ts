import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The first migration of a service or of the kit: the tables as release 0.1 left them. Its static `replaces` names the migrations of
 * that release, which a new database does not run (decision 0045).
 */
export abstract class Baseline implements MigrationInterface {
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    return Promise.reject(new Error('the first migration cannot be reverted: drop the database'));
  }
}
