import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A success makes due what waits for its endpoint; when the retry table has it, is kept. Business time. */
export class PlannedAttempts1700000034000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN planned_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN planned_at');
  }
}
