import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the deletion of applied callbacks by their age. */
export class ProviderEventsByAge1700000050400 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'mandate_provider_events_received_at',
      on: 'mandate_provider_events (received_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX mandate_provider_events_received_at');
  }
}
