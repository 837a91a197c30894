import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A success makes the endpoint's waiting deliveries due. The retry table's time is stored here. Business time. */
export class PlannedAttempts1700000034000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries ADD COLUMN planned_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_deliveries DROP COLUMN planned_at');
  }
}
