import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Callbacks that were applied are forgotten by their age. */
export class ProviderEventsByAge1700000050300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX provider_events_received_at ON provider_events (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX provider_events_received_at');
  }
}
