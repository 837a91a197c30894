import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A new provider needs no migration: the schemas of libs/contracts check each name before it is written (decision 0049). */
export class OpenProviderNames1900000000070 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE payments DROP CONSTRAINT IF EXISTS payments_provider_name_check');
  }

  /** Nothing to undo: the release before writes the same names without it. */
  down(): Promise<void> {
    return Promise.resolve();
  }
}
