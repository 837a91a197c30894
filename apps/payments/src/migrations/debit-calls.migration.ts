import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an attempt has to remember of its calls.
 * - called_at: when it was last sent again. A provider without an idempotency key may hear of two calls that are under way at
 *   once, and then the investor is debited twice; so no other call is made for a while.
 * - uncalled: no permit was to be had for its call, so that the provider certainly has nothing.
 */
export class DebitCalls1700000000395 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE debit_attempts ADD COLUMN called_at timestamptz, ADD COLUMN uncalled boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE debit_attempts DROP COLUMN called_at, DROP COLUMN uncalled');
  }
}
