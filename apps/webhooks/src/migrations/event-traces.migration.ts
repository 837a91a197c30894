import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks carry the trace of their event's cause. */
export class EventTraces1700000012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN traceparent');
  }
}
