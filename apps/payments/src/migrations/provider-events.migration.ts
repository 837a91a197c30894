import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For the deletion of old rows: callbacks that were applied are deleted by their age. */
export class ProviderEventsByAge1700000050300 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'provider_events_received_at',
      on: 'provider_events (received_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX provider_events_received_at');
  }
}
