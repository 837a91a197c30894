import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Callbacks that were applied are forgotten by their age. */
export class GatewayEventsByAge1700000050800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX gateway_events_received_at ON gateway_events (received_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway_events_received_at');
  }
}
