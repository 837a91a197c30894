import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndexConcurrently } from '../db/create-index-concurrently.ts';

/** Parked events that were handled or given up are deleted by age. */
export class ParkedEventsByAge1700000045000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'parked_events_replayed_at',
      on: 'parked_events (replayed_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX parked_events_replayed_at');
  }
}
