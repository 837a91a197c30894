import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `Retry-After` pauses the whole endpoint, not one delivery. Business time. */
export class PausedEndpoints1700000030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_webhooks ADD COLUMN paused_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE notification_webhooks DROP COLUMN paused_until');
  }
}
