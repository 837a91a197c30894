import { createIndexConcurrently } from '@fundrail/service-kit/db';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index for the deletion of applied callbacks by their age. */
export class GatewayEventsByAge1700000050800 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await createIndexConcurrently(runner, {
      name: 'gateway_events_received_at',
      on: 'gateway_events (received_at)',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX gateway_events_received_at');
  }
}
