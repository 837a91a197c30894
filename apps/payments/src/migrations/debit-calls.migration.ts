import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What an attempt stores about its calls.
 * - called_at: when it was last resent. A provider without idempotency keys that receives two concurrent calls may debit the
 *   investor twice, so there is no other call for a while.
 * - uncalled: its call got no permit, so the provider certainly never received it.
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
