import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Limits how many debits a second each provider receives from all replicas (decision 0013): one row per provider. `next_at` is
 * the wall time of the next free slot; a sender reserves slots by moving it forward.
 */
export class DebitPace1700000000390 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE debit_pace (provider_name text PRIMARY KEY, next_at timestamptz NOT NULL) WITH (fillfactor = 50)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE debit_pace');
  }
}
