import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Webhooks carry the trace of what caused their event. */
export class EventTraces1700000012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN traceparent text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN traceparent');
  }
}
