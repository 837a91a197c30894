import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many debits a provider is sent in a second, over all replicas (decision 0013): one row each. `next_at` is wall time, and
 * the place of the next call; whoever sends reserves places by moving it on.
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
