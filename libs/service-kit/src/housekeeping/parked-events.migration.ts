import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Parked events that were handled, or given up, are forgotten by their age. */
export class ParkedEventsByAge1700000045000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX parked_events_replayed_at ON parked_events (replayed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX parked_events_replayed_at');
  }
}
